#include "runner/json.h"

#include <doctest/doctest.h>

#include <stdexcept>

using bunraku::cases::Json;

TEST_CASE("JSON keeps the order of keys, repeated ones, and how numbers are written") {
  const Json json = Json::parse(R"( {"b": 1.0e+15, "a": [true, null], "b": "\u00e4\n"} )");
  CHECK(json.compact() == R"({"b": 1.0e+15, "a": [true, null], "b": "\u00e4\n"})");
  CHECK(json.text("b") == "1.0e+15");
  CHECK(json.members()[2].second.text() == "ä\n");
}

TEST_CASE("JSON breaks what is too wide, and only that") {
  const Json json = Json::parse(R"({"short": [1, 2], "long": ["aaaaaaaaaa", "bbbbbbbbbb"]})");
  CHECK(json.pretty(30) ==
        "{\n"
        "  \"short\": [1, 2],\n"
        "  \"long\": [\n"
        "    \"aaaaaaaaaa\",\n"
        "    \"bbbbbbbbbb\"\n"
        "  ]\n"
        "}\n");
}

TEST_CASE("what is not JSON is reported with its place") {
  for (const char* text : {"", "{", "[1", "{\"a\" 1}", "{a: 1}", "[1] 2", "\"x"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(Json::parse(text), std::runtime_error);
  }
  CHECK_THROWS_AS(Json::parse(std::string(100000, '[')), std::runtime_error);
}
