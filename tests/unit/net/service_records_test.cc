// SRV records: messages, malformed ones as well, and the order in which servers are tried.
#include "net/service_records.h"

#include <doctest/doctest.h>

#include <map>
#include <string>

using namespace bunraku::net;

namespace {

std::string number(unsigned value) {
  return {static_cast<char>(value >> 8), static_cast<char>(value & 0xff)};
}

std::string name_of(const std::string& name) {
  std::string result;
  for (size_t begin = 0; begin < name.size();) {
    const size_t end = std::min(name.find('.', begin), name.size());
    result += static_cast<char>(end - begin) + name.substr(begin, end - begin);
    begin = end + 1;
  }
  return result + '\0';
}

std::string record(unsigned priority, unsigned weight, unsigned port, const std::string& target) {
  const std::string data = number(priority) + number(weight) + number(port) + name_of(target);
  return "\xc0\x0c" + number(33) + number(1) + number(0) + number(60) +
         number(static_cast<unsigned>(data.size())) + data;
}

std::string message(std::initializer_list<std::string> records) {
  std::string text = number(7) + number(0x8180) + number(1) +
                     number(static_cast<unsigned>(records.size())) + number(0) + number(0);
  text += name_of("_x-puppet._tcp.example.com") + number(33) + number(1);
  for (const std::string& one : records) text += one;
  return text;
}

}  // namespace

TEST_CASE("records of a message") {
  const auto records = parse_service_records(
      message({record(10, 5, 8140, "a.example.com"), record(20, 0, 8141, "b.example.com")}));
  REQUIRE(records.size() == 2);
  CHECK(records[0].target == "a.example.com");
  CHECK(records[0].priority == 10);
  CHECK(records[0].weight == 5);
  CHECK(records[0].port == 8140);
  CHECK(records[1].target == "b.example.com");
}

TEST_CASE("the root as a target means that there is no service") {
  CHECK(parse_service_records(message({record(0, 0, 0, "")})).empty());
}

TEST_CASE("a message that is cut off anywhere is no danger") {
  const std::string whole = message({record(1, 1, 1, "a.b"), record(2, 2, 2, "c.d")});
  for (size_t size = 0; size < whole.size(); ++size) {
    CHECK(parse_service_records(whole.substr(0, size)).size() <= 1);
  }
}

TEST_CASE("priorities go first, weights decide among equals") {
  std::mt19937 random(1);
  std::map<std::string, int> first;
  for (int i = 0; i < 4000; ++i) {
    std::vector<ServiceRecord> records{
        {20, 0, 1, "late"}, {10, 30, 1, "heavy"}, {10, 10, 1, "light"}, {10, 0, 1, "zero"}};
    order_service_records(records, random);
    CHECK(records.back().target == "late");
    ++first[records.front().target];
  }
  CHECK(first["heavy"] > 2 * first["light"]);
  CHECK(first["light"] > 2 * first["zero"]);
  CHECK(first["zero"] > 0);
}
