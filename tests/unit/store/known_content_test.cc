// Bodies that are split without being parsed.
#include "store/commands/known_content.h"

#include <doctest/doctest.h>

#include <array>

using bunraku::store::split_body;

namespace {

constexpr std::array<std::string_view, 2> kLarge{"values", "edges"};

}  // namespace

TEST_CASE("a body is cut where its members are") {
  const auto split =
      split_body(R"( { "a" : 1 , "values" : {"x": ["]}\"", {}]} ,"b":"}", "c":[{}]}  )", kLarge);
  REQUIRE(split);
  CHECK(split->rest == R"({"a":1,"b":"}","c":[{}]})");
}

TEST_CASE("large members are distinguished by their bytes, their names and their places") {
  const auto digest = [](std::string_view body) {
    const auto split = split_body(body, kLarge);
    REQUIRE(split);
    return split->large_digest;
  };
  CHECK(digest(R"({"values":1,"x":2})") == digest(R"({"y":3,"values":1})"));
  CHECK(digest(R"({"values":1})") != digest(R"({"values":2})"));
  CHECK(digest(R"({"values":1})") != digest(R"({"edges":1})"));
  CHECK(digest(R"({"values":1,"edges":2})") != digest(R"({"values":2,"edges":1})"));
}

TEST_CASE("what is not plainly an object is not cut") {
  for (const std::string_view body : {"",
                                      "{",
                                      "[]",
                                      "{}",
                                      "1",
                                      "null",
                                      R"({"values"})",
                                      R"({"values":})",
                                      R"({"values":1)",
                                      R"({"values":1,})",
                                      R"({"values":1}x)",
                                      R"({"values":1}})",
                                      R"({"values":1 2})",
                                      R"({"values":"})",
                                      R"({"values":"\)",
                                      R"({"values":[})",
                                      R"({"values":{"a":1})",
                                      R"({"values":1,"values":1})",
                                      R"({"v\u0061lues":1,"values":1})",
                                      R"({"other":1})",
                                      R"({"values":"\u0000"})",
                                      R"({values:1})",
                                      R"({"values"=1})",
                                      R"(,{"values":1})"}) {
    CAPTURE(body);
    CHECK_FALSE(split_body(body, kLarge));
  }
}
