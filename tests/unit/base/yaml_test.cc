#include "base/formats/yaml.h"

#include <doctest/doctest.h>

#include <fstream>
#include <string>

#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "base/text/number_text.h"
#include "test_directory.h"

using namespace bunraku;

namespace {

std::string as_json(std::string_view text, YamlOptions options = {}) {
  Arena arena;
  try {
    std::string json;
    JsonWriter(json).data(read_yaml(text, options, arena));
    return json;
  } catch (const DataError& error) {
    return error.what();
  }
}

// In the format of tools/yaml_scalars.rb.
std::string meaning(const std::string& scalar) {
  Arena arena;
  YamlOptions options;
  options.file = "f";
  try {
    const DataNode value = read_yaml("- " + scalar, options, arena).items()[0];
    switch (value.kind()) {
      case DataKind::kNull:
        return "null";
      case DataKind::kBoolean:
        return value.boolean_value() ? "true" : "false";
      case DataKind::kInteger:
        return "integer " + std::to_string(value.integer_value());
      case DataKind::kBigInteger:
        return "integer " + std::string(value.text_value());
      case DataKind::kFloat:
        return "float " + float_text(value.float_value());
      case DataKind::kSymbol:
        return "symbol " + std::string(value.text_value());
      case DataKind::kRegexp:
        return "regexp " + std::string(value.text_value());
      case DataKind::kString:
        return "string " + std::string(value.text_value());
      case DataKind::kArray:
        return "Array";
      case DataKind::kHash:
        return "Hash";
    }
  } catch (const DataError& error) {
    return std::string("error ") + error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("yaml: scalars mean what they mean to Ruby") {
  std::ifstream file(bunraku::test_directory() / "unit/base/data/yaml_scalars.txt");
  std::string line;
  size_t count = 0;
  while (std::getline(file, line)) {
    const size_t tab = line.find('\t');
    CHECK_MESSAGE(meaning(line.substr(0, tab)) == line.substr(tab + 1), line);
    ++count;
  }
  CHECK(count > 500);
}

TEST_CASE("yaml: collections") {
  CHECK(as_json("a:\n- 1\n- b: c\n  d: [e, {f: g}]\n") ==
        R"({"a":[1,{"b":"c","d":["e",{"f":"g"}]}]})");
  CHECK(as_json("a: 1\na: 2\nb: 3") == R"({"a":2,"b":3})");
  CHECK(as_json("1: a\n~: b\n[x]: c") == R"({"1":"a","":"b","[\"x\"]":"c"})");
  CHECK(as_json("") == "null");
  CHECK(as_json("--- a\n--- b") == R"("a")");
  CHECK(as_json("\xEF\xBB\xBF"
                "a: 1") == R"({"a":1})");
}

TEST_CASE("yaml: strings") {
  CHECK(as_json("['1', \"yes\", !!str 1, '~']") == R"(["1","yes","1","~"])");
  CHECK(as_json("a: |\n  x\n   y\n\nb: >-\n  x\n  y\n") == R"({"a":"x\n y\n","b":"x y"})");
  CHECK(as_json("\"\\u00e9\\x41\\n\"") == R"("éA\n")");
  CHECK(as_json("!!binary aGk=") == R"("hi")");
}

TEST_CASE("yaml: anchors, aliases, merge keys") {
  CHECK(as_json("a: &x {b: 1}\nc: *x") == R"({"a":{"b":1},"c":{"b":1}})");
  CHECK(as_json("a: &x {b: 1, c: 2}\nd:\n  c: 0\n  <<: *x\n  b: 3") ==
        R"({"a":{"b":1,"c":2},"d":{"c":2,"b":3}})");
  CHECK(as_json("<<: [{a: 1}, {a: 2, b: 3}]") == R"({"a":1,"b":3})");
  CHECK(as_json("<<: 1") == R"({"<<":1})");
  CHECK(as_json("a: *x") == "Unknown alias: x");
  CHECK(as_json("a: &x [*x]") ==
        "(<unknown>): alias x stands inside the value it names at line 1 column 8");
}

TEST_CASE("yaml: what safe loading refuses") {
  YamlOptions options;
  options.file = "/x/f.yaml";
  CHECK(as_json("a: 2001-01-01", options) == "(/x/f.yaml): Tried to load unspecified class: Date");
  CHECK(as_json("a: 2001-01-01 00:00:00", options) ==
        "(/x/f.yaml): Tried to load unspecified class: Time");
  CHECK(as_json("--- !ruby/object:Foo::Bar {a: 1}", options) ==
        "(/x/f.yaml): Tried to load unspecified class: Foo::Bar");
  CHECK(as_json("--- !ruby/regexp /a/", options) ==
        "(/x/f.yaml): Tried to load unspecified class: Regexp");
  CHECK(as_json("a: :b", options) == R"({"a":"b"})");
  options.allow_symbols = false;
  CHECK(as_json("a: :b", options) == "(/x/f.yaml): Tried to load unspecified class: Symbol");
  options.allowed_class = "Puppet::Node::Facts";
  CHECK(as_json("--- !ruby/object:Puppet::Node::Facts\nname: n\nvalues:\n  a: 1\n", options) ==
        R"({"name":"n","values":{"a":1}})");
  CHECK(as_json("a: !ruby/object:Foo {b: 1}", options) ==
        "(/x/f.yaml): Tried to load unspecified class: Foo");
  CHECK(as_json("a: !ruby/hash:Foo {b: 1}", options) ==
        "(/x/f.yaml): Tried to load unspecified class: Foo");
}

TEST_CASE("yaml: mistakes in psych's words") {
  YamlOptions options;
  options.file = "f.yaml";
  CHECK(as_json("a:\n  - b\n c: d", options) ==
        "(f.yaml): did not find expected key while parsing a block mapping at line 1 column 1");
  CHECK(as_json("a: b: c", options) ==
        "(f.yaml): mapping values are not allowed in this context at line 1 column 5");
  CHECK(
      as_json("\"abc", options) ==
      "(f.yaml): found unexpected end of stream while scanning a quoted scalar at line 1 column 1");
  CHECK(as_json("a\xff: 1", options) == "(f.yaml): invalid leading UTF-8 octet at line 1 column 1");
  // A syntax error is reported before a semantic one.
  CHECK(as_json("a: *x\n b: c", options) ==
        "(f.yaml): did not find expected key while parsing a block mapping at line 1 column 1");
}

TEST_CASE("yaml: hostile documents end in an error") {
  CHECK(as_json("[!str:=") ==
        "(<unknown>): did not find expected ',' or ']' while parsing a flow sequence at line 1 "
        "column 1");
  CHECK(as_json(std::string(200'000, '[')).find("nested too deeply") != std::string::npos);
  std::string laughs = "a: &a [x,x,x,x,x,x,x,x,x,x]\n";
  for (char c = 'b'; c < 'l'; ++c) {
    const std::string last(1, static_cast<char>(c - 1));
    laughs += std::string(1, c) + ": &" + c + " [";
    for (int i = 0; i < 10; ++i) laughs += (i ? ",*" : "*") + last;
    laughs += "]\n";
  }
  CHECK(as_json(laughs).find("aliases expand to too many values") != std::string::npos);
}

TEST_CASE("yaml: keys of any kind as keys of JSON") {
  CHECK(as_json("{~: 1, 1.5: 2, true: 3, [1, ~, b, 1.0]: 5, {{1: 2}: 3}: 6}") ==
        R"({"":1,"1.5":2,"true":3,"[1, nil, \"b\", 1.0]":5,"{{1=>2}=>3}":6})");
  CHECK(as_json("{{a: 'x\"y'}: 4}") == R"({"{\"a\"=>\"x\\\"y\"}":4})");
  // With each level as JSON within JSON, each level would double the size.
  CHECK(as_json(std::string(40, '{') + std::string(40, '}')).size() < 1000);
}
