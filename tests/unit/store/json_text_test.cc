#include "store/database/json_text.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace bunraku::store;

TEST_CASE("a path leads to what stands there") {
  const std::string_view json = R"({"a":{"b":[1,{"c":"x\"]"}]},"d":null})";
  CHECK(json_at(json, R"(["a","b",1,"c"])") == R"("x\"]")");
  CHECK(json_at(json, R"(["d"])") == "null");
  CHECK(json_at(json, "[]") == json);
  CHECK_FALSE(json_at(json, R"(["a","b",2])"));
  CHECK_FALSE(json_at(json, R"(["a","b","0"])"));
  CHECK_FALSE(json_at(json, R"(["d","x"])"));
}

TEST_CASE("numbers are equal by value, members in any order") {
  CHECK(json_equal("1", "1.0"));
  CHECK_FALSE(json_equal("1", R"("1")"));
  CHECK(json_equal(R"({"a":1,"b":[true]})", R"({"b": [true], "a": 1})"));
  CHECK_FALSE(json_equal(R"({"a":1})", R"({"a":1,"b":2})"));
  CHECK_FALSE(json_equal("[1,2]", "[2,1]"));
}

TEST_CASE("an object contains one with some of its members, an array one with some of its items") {
  CHECK(json_contains(R"({"a":{"b":1,"c":2},"d":3})", R"({"a":{"c":2}})"));
  CHECK_FALSE(json_contains(R"({"a":["x"]})", R"({"a":"x"})"));
  CHECK(json_contains(R"(["x",{"y":1}])", R"([{"y":1.0}])"));
  CHECK_FALSE(json_contains(R"(["x"])", R"(["x","z"])"));
}

TEST_CASE("the characters of a string, the text of anything else") {
  CHECK(json_plain_text(R"("a\nb")") == "a\nb");
  CHECK(json_plain_text(" 12 ") == "12");
  CHECK(json_plain_text("true") == "true");
}

TEST_CASE("the order of JSON is PostgreSQL's") {
  // The result of `ORDER BY value` on a JSONB column.
  const std::vector<std::string> ordered{
      "[]",   "null", "\"\"",  "\"B\"", "\"a\"",       "\"ab\"",     "-12.5",
      "-1",   "0",    "0.5",   "2",     "10",          "1e20",       "false",
      "true", "[9]",  "[1,2]", "{}",    R"({"aa":0})", R"({"b":1})", R"({"a":1,"b":1})"};
  for (size_t i = 1; i < ordered.size(); ++i) {
    CAPTURE(ordered[i]);
    CHECK(json_order(ordered[i - 1]) < json_order(ordered[i]));
  }
}
