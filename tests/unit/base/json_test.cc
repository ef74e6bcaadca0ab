#include "base/formats/json.h"
#include "base/formats/json_members.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "base/memory/arena.h"

using namespace bunraku;

namespace {

std::string rewritten(std::string_view text, JsonForm form = JsonForm::kCompact) {
  Arena arena;
  std::string to;
  JsonWriter(to, form).data(read_json(text, arena));
  return to;
}

std::string error_of(std::string_view text) {
  Arena arena;
  try {
    read_json(text, arena);
    return "reads";
  } catch (const DataError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("json: values") {
  CHECK(rewritten(" [1, -2.5e1, true,false,null, \"a\"] ") == "[1,-25.0,true,false,null,\"a\"]");
  CHECK(rewritten("{\"a\":1,\"b\":2,\"a\":3}") == "{\"a\":3,\"b\":2}");
  CHECK(rewritten("\"\\u00e9\\ud83d\\ude00\\n\\/\\q\"") == "\"é😀\\n/q\"");
  CHECK(rewritten("123456789012345678901234567890") == "123456789012345678901234567890");
  CHECK(rewritten("1e20") == "1.0e+20");
  CHECK(rewritten("/* a */ [ // b\n 1 ]") == "[1]");
}

TEST_CASE("json: white space of any length and kind, and what only looks like it") {
  for (size_t length = 0; length < 40; ++length) {
    std::string blank;
    for (size_t i = 0; i < length; ++i) blank += " \n\r\t"[(i * 7 + length) % 4];
    CAPTURE(length);
    CHECK(rewritten(blank + "[" + blank + "1" + blank + "," + blank + "{}" + blank + "]" + blank) ==
          "[1,{}]");
    CHECK(rewritten(blank + "/**/" + blank + "1") == "1");
    for (const char* other : {"\v", "\f", "\x01", "\x80", "/"}) {
      CHECK(error_of(blank + other + blank + "1") != "reads");
    }
  }
}

TEST_CASE("json: many keys") {
  std::string text = "{";
  for (int i = 0; i < 1000; ++i)
    text += "\"k" + std::to_string(i % 500) + "\":" + std::to_string(i) + ",";
  text += "\"z\":0}";
  Arena arena;
  const DataNode node = read_json(text, arena);
  CHECK(node.entries().size() == 501);
  CHECK(node.find("k7")->integer_value() == 507);
  CHECK(node.find("nothing") == nullptr);
}

TEST_CASE("json: strings are escaped as Ruby escapes them") {
  std::string to;
  append_json_string(to, "a\"\\/\b\f\n\r\t\x01\x1f\x7f\xE2\x80\xA8</script>");
  CHECK(to == "\"a\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\xE2\x80\xA8</script>\"");
  CHECK_THROWS_AS(append_json_string(to, "\xff"), DataError);
}

TEST_CASE("json: pretty form") {
  CHECK(rewritten("{\"a\":[],\"b\":{},\"c\":[1,{\"x\":null}]}", JsonForm::kPretty) ==
        "{\n  \"a\": [\n\n  ],\n  \"b\": {\n  },\n  \"c\": [\n    1,\n    {\n      \"x\": null\n   "
        " }\n  ]\n}");
}

TEST_CASE("json: numbers that JSON does not have") {
  std::string to;
  CHECK_THROWS_AS(JsonWriter(to).number(NAN), DataError);
  CHECK_THROWS_AS(JsonWriter(to).number(INFINITY), DataError);
}

TEST_CASE("json: mistakes with their place") {
  CHECK(error_of("") == "expected a value, found end of text at line 1 column 1");
  CHECK(error_of("{\"a\":1,\n \"é\" 2}") ==
        "expected ':' after a key, found '2' at line 2 column 6");
  CHECK(error_of("[1,]") == "expected a value, found ']' at line 1 column 4");
  CHECK(error_of("[1 2]") == "expected ',' or ']', found '2' at line 1 column 4");
  CHECK(error_of("[1] x") == "unexpected 'x' after the value at line 1 column 5");
  CHECK(error_of("{\"a") == "unterminated string at line 1 column 2");
  CHECK(error_of("[01]") == "malformed number: leading zero at line 1 column 2");
  CHECK(error_of("[NaN]") == "expected a value, found 'N' at line 1 column 2");
  CHECK(error_of("[\"a\nb\"]") == "control character 0x0a in a string at line 1 column 4");
  CHECK(error_of("[\"\\ud800\"]") == "incomplete surrogate pair at line 1 column 3");
  CHECK(error_of("[\"a\xff\"]") == "invalid UTF-8 at line 1 column 4");
  CHECK(error_of("[") == "expected a value, found end of text at line 1 column 2");
}

TEST_CASE("json: depth") {
  CHECK(error_of(std::string(100, '[') + std::string(100, ']')) == "reads");
  CHECK(error_of(std::string(100'000, '[')) == "nesting of 101 is too deep at line 1 column 101");
}

namespace {

std::string json_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '"' || c == '\\') {
      out.append("\\").append(1, c);
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out.append("\\u00").append(c < 0x10 ? "0" : "1").append(1, "0123456789abcdef"[c & 15]);
    } else {
      out += c;
    }
  }
  return out += '"';
}

}  // namespace

TEST_CASE("json: texts of all lengths, with an escape at any place") {
  for (size_t size = 0; size < 40; ++size) {
    const std::string plain(size, 'a');
    std::string before = "text before";
    JsonWriter(before).string(plain);
    CHECK(before == "text before" + json_quoted(plain));
    for (size_t at = 0; at < size; ++at) {
      for (const char c : {'"', '\\', '\n', '\x01', '\x1f', '\x7f'}) {
        std::string text = plain, to;
        text[at] = c;
        JsonWriter json(to);
        json.begin_object();
        json.member(text, text);
        json.member(JsonKey("key"), text);
        json.end_object();
        const std::string expected = json_quoted(text);
        CHECK(to == "{" + expected + ":" + expected + ",\"key\":" + expected + "}");
      }
    }
  }
}

TEST_CASE("json: a text is complete after each outermost value") {
  std::string to;
  JsonWriter json(to, JsonForm::kPretty);
  json.begin_array();
  json.null();
  json.end_array();
  CHECK(to == "[\n  null\n]");
  to += "; ";
  json.integer(INT64_MIN);
  CHECK(to == "[\n  null\n]; -9223372036854775808");
  CHECK(json.size() == to.size());
}

TEST_CASE("json: an array of strings is written as its strings are") {
  const std::vector<std::string_view> lists[] = {
      {}, {""}, {"a", "class", "a longer tag than a block"}, {"plain", "a \"quote\"", "ü", "last"}};
  for (const JsonForm form : {JsonForm::kCompact, JsonForm::kPretty}) {
    for (const std::vector<std::string_view>& list : lists) {
      std::string at_once, one_by_one;
      JsonWriter whole(at_once, form), items(one_by_one, form);
      for (JsonWriter* json : {&whole, &items}) {
        json->begin_array();
        json->integer(1);
      }
      whole.strings(list);
      items.begin_array();
      for (const std::string_view text : list) items.string(text);
      items.end_array();
      whole.end_array();
      items.end_array();
      CHECK(at_once == one_by_one);
    }
  }
}

TEST_CASE("json: members of an object") {
  Arena arena;
  const std::string_view names[] = {"a", "b"};
  const auto read = [&](std::string_view text) {
    std::string to;
    JsonWriter(to).data(read_json_members(text, names, arena).value);
    return to;
  };
  CHECK(read(R"({"x": {"a": [1, "\u00fc"]}, "a": {"x": [1, "t"]}, "y": 1, "b": "c", "x": []})") ==
        R"({"a":{"x":[1,"t"]},"b":"c"})");
  CHECK_FALSE(read_json_members(R"({"a": 1})", names, arena).has_others);
  CHECK(read_json_members(R"({"a": 1, "x": 1})", names, arena).has_others);
  CHECK(read(R"([{"x": 1}])") == R"([{"x":1}])");
  CHECK(read("{}") == "{}");
  for (const std::string_view text : {R"({"x": [1,]})", R"({"x": "\ud800"})", R"({"x": {"a" 1}})",
                                      R"({"x": 01})", R"({"x": 1)"}) {
    CHECK_THROWS_AS(read(text), DataError);
  }
}

TEST_CASE("json: the value of a member that is left out is as valid as when it is read") {
  // Parts that often are a value together, and often are not.
  const std::vector<std::string_view> parts = {
      "[",    "]",    "{",       "}",       ",",      ":",    "\"a\"",      "\"\"", "1",
      "-0",   "01",   "1.5",     "2e3",     "tru",    "true", "false",      "nul",  " ",
      "null", "\n\t", "\"\\n\"", "\"",      "/**/",   "-",    "\"\u00fc\"", "{}",   "[]",
      "[1]",  "[[",   "]]",      "{\"b\":", "\"k\":", ", "};
  std::mt19937 random(7);
  int valid = 0;
  for (int round = 0; round < 50'000; ++round) {
    std::string value;
    for (size_t count = 1 + random() % 8; count > 0; --count)
      value += parts[random() % parts.size()];
    const std::string text = "{\"x\": " + value + ", \"a\": 1}";
    const bool is_valid = error_of(text) == "reads";
    Arena arena;
    const std::string_view names[] = {"a"};
    bool is_accepted = true;
    try {
      read_json_members(text, names, arena);
    } catch (const DataError&) {
      is_accepted = false;
    }
    CAPTURE(text);
    REQUIRE(is_accepted == is_valid);
    valid += is_valid ? 1 : 0;
  }
  CHECK(valid > 1000);
}
