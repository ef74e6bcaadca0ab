// SRV records from the system's resolver.
#include "net/service_records.h"

#include <arpa/nameser.h>
#include <netinet/in.h>
#include <resolv.h>

#include <algorithm>
#include <array>
#include <memory>

namespace bunraku::net {
namespace {

constexpr size_t kLargestMessage = size_t{64} << 10;
constexpr size_t kMostRecords = 100;
constexpr int kFixedSize = 6;  // priority, weight and port

bool read_record(const ns_msg& message, const ns_rr& record, ServiceRecord& result) {
  if (ns_rr_type(record) != ns_t_srv || ns_rr_rdlen(record) <= kFixedSize) return false;
  const unsigned char* const data = ns_rr_rdata(record);
  result.priority = static_cast<uint16_t>(ns_get16(data));
  result.weight = static_cast<uint16_t>(ns_get16(data + 2));
  result.port = static_cast<uint16_t>(ns_get16(data + 4));
  std::array<char, NS_MAXDNAME> name{};
  if (ns_name_uncompress(ns_msg_base(message), ns_msg_end(message), data + kFixedSize, name.data(),
                         name.size()) < 0) {
    return false;
  }
  result.target = name.data();
  while (result.target.ends_with('.')) result.target.pop_back();
  return !result.target.empty();
}

}  // namespace

std::vector<ServiceRecord> parse_service_records(std::string_view text) {
  std::vector<ServiceRecord> records;
  ns_msg message{};
  if (ns_initparse(reinterpret_cast<const unsigned char*>(text.data()),
                   static_cast<int>(text.size()), &message) != 0) {
    return records;
  }
  for (int i = 0; i < ns_msg_count(message, ns_s_an) && records.size() < kMostRecords; ++i) {
    ns_rr record{};
    if (ns_parserr(&message, ns_s_an, i, &record) != 0) break;
    ServiceRecord found;
    if (read_record(message, record, found)) records.push_back(std::move(found));
  }
  return records;
}

void order_service_records(std::vector<ServiceRecord>& records, std::mt19937& random) {
  std::ranges::stable_sort(records, {}, &ServiceRecord::priority);
  for (auto next = records.begin(); next != records.end(); ++next) {
    const auto end = std::find_if(next, records.end(), [&](const ServiceRecord& other) {
      return other.priority != next->priority;
    });
    // One is added, so that a weight of 0 is chosen sometimes.
    uint32_t sum = 0;
    for (auto one = next; one != end; ++one) sum += one->weight + 1u;
    uint32_t chosen = std::uniform_int_distribution<uint32_t>(0, sum - 1)(random);
    auto one = next;
    for (; chosen > one->weight; ++one) chosen -= one->weight + 1u;
    std::iter_swap(next, one);
  }
}

std::vector<ServiceRecord> find_service_records(const std::string& name) {
  struct __res_state state{};
  if (res_ninit(&state) != 0) return {};
  const std::unique_ptr<struct __res_state, decltype(&res_nclose)> closed(&state, &res_nclose);
  std::vector<unsigned char> answer(kLargestMessage);
  const int size = res_nquery(&state, name.c_str(), ns_c_in, ns_t_srv, answer.data(),
                              static_cast<int>(answer.size()));
  if (size <= 0) return {};
  const size_t length = std::min(static_cast<size_t>(size), answer.size());
  std::vector<ServiceRecord> records =
      parse_service_records({reinterpret_cast<const char*>(answer.data()), length});
  std::mt19937 random{std::random_device{}()};
  order_service_records(records, random);
  return records;
}

}  // namespace bunraku::net
