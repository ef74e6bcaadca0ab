#include "conversion/conversion.h"
#include "serialization/serialization.h"
#include "types/built_in_types.h"
#include "types/interpolation.h"
#include "types/type_text.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/diagnostics/diagnostic.h"
#include "base/formats/json.h"

using namespace bunraku;

namespace {

Value read(Arena& arena, std::string_view json) {
  return read_rich_data_json(arena, json, "test", nullptr);
}

std::string write(Value value, TypeForm form = TypeForm::kText, bool rich = true,
                  DiagnosticList* conversions = nullptr) {
  std::string out;
  JsonWriter json(out);
  write_rich_data(json, value, rich, form, "File[/x]['owner']", conversions);
  return out;
}

// The result of String(value, format); both are rich data.
std::string formatted(std::string_view value, std::string_view format = "null") {
  Arena arena;
  try {
    return std::string(
        to_formatted_string(arena, read(arena, value), read(arena, format)).as_string());
  } catch (const EvaluationError& error) {
    return std::string("error: ") + error.what();
  }
}

std::string made(std::string_view type, std::string_view arguments) {
  Arena arena;
  try {
    const Value list = read(arena, arguments);
    return write(new_instance(arena, parse_type(arena, type, nullptr), list.as_array(), nullptr));
  } catch (const EvaluationError& error) {
    return std::string("error: ") + error.what();
  }
}

}  // namespace

TEST_CASE("interpolated text") {
  Arena arena;
  CHECK(interpolated(read(arena, R"([1, null, 2.5, "a", [null], {"a": 1}])")) ==
        "[1, , 2.5, a, [], {a => 1}]");
  CHECK(interpolated(read(arena, R"({"__ptype": "Sensitive", "__pvalue": 1})")) ==
        "Sensitive [value redacted]");
  CHECK(interpolated(read(arena, R"([{"__ptype": "Regexp", "__pvalue": "a/b"}])")) == "[/a\\/b/]");
}

TEST_CASE("string formats") {
  CHECK(formatted("3.14") == "3.140000");
  CHECK(formatted("[1, \"a\", null]") == "[1, 'a', undef]");
  CHECK(formatted("255", R"("%#x")") == "0xff");
  CHECK(formatted("true", R"("%#Y")") == "Y");
  CHECK(formatted(R"("it's")", R"("%p")") == R"('it\'s')");
  CHECK(formatted("[1, [2, 3]]", R"("%#(a")") == "(1,\n  (2, 3))");
  CHECK(formatted(R"({"a": 1})", R"("%#h")") == "{\n  'a' => 1\n}");
  CHECK(formatted("[1, 2]", R"("%d")") ==
        "error: Illegal format 'd' specified for value of Array type - expected one of the "
        "characters "
        "'asp'");
  CHECK(formatted("1", R"("x")") ==
        "error: The format 'x' is not a valid format on the form '%<flags><width>.<prec><format>'");
}

TEST_CASE("new for numbers") {
  CHECK(made("Integer", R"(["0x1F", 16])") == "31");
  CHECK(made("Integer", R"(["- 5"])") == "-5");
  CHECK(made("Integer", R"(["abc"])") ==
        "error: 'new' The string 'abc' cannot be converted to Integer");
  CHECK(made("Integer", R"(["1", 3])") ==
        "error: Illegal radix: 3, expected 2, 8, 10, 16, or default");
  CHECK(made("Integer[1, 5]", R"(["9"])") ==
        "error: Converted value from Integer[1, 5].new() has wrong type, expects an Integer[1, 5] "
        "value, got Integer[9, 9]");
  CHECK(made("Float", R"(["0b11"])") == "3.0");
  CHECK(made("Numeric", R"(["0.5e3"])") == "500.0");
  CHECK(made("Boolean", R"(["Yes"])") == "true");
  CHECK(made("Any", "[]") == "error: Creation of new instance of type 'Any' is not supported");
}

TEST_CASE("new for containers") {
  CHECK(made("Array", R"([{"a": 1}])") == R"([["a",1]])");
  CHECK(made("Array", "[2147483647000]").find("too large") != std::string::npos);
  CHECK(made("Hash", "[[1, 2, 3]]") == "error: odd number of arguments for Hash");
  CHECK(made("Hash", R"([[[["a", "b"], 1], [["a", "c"], 2]], "tree"])") ==
        R"({"a":{"b":1,"c":2}})");
  CHECK(made("Hash", R"([[[["a"], [1]], [["a", 1], 9]], "tree"])") == R"({"a":[1,9]})");
  CHECK(made("Struct[{a => Integer}]", R"([[["a", 1]]])") == R"({"a":1})");
  CHECK(made("Init[Integer, 2]", R"(["11"])") == "3");
  CHECK(made("Init[Timespan]", "[[1, 2, 3, 4]]") ==
        R"({"__ptype":"Timespan","__pvalue":"1-02:03:04.0"})");
}

TEST_CASE("what a value's text says can be made into an equal value") {
  Arena arena;
  struct Sample {
    const char* type;
    const char* value;
  };
  for (const Sample& sample :
       {Sample{"Integer", "-42"}, Sample{"Boolean", "false"},
        Sample{"SemVer", R"({"__ptype":"SemVer","__pvalue":"1.2.3-a.1+b"})"},
        Sample{"Timespan", R"({"__ptype":"Timespan","__pvalue":"1-02:03:04.5"})"},
        Sample{"Timestamp",
               R"({"__ptype":"Timestamp","__pvalue":"2020-01-02T03:04:05.006000000 UTC"})"},
        Sample{"Binary", R"({"__ptype":"Binary","__pvalue":"/w=="})"},
        Sample{"URI", R"({"__ptype":"URI","__pvalue":"http://x/y?z"})"},
        Sample{"Type", R"({"__ptype":"Type","__pvalue":"Array[Integer[1, 2]]"})"}}) {
    const Value value = read(arena, sample.value);
    Value text = to_formatted_string(arena, value, Value());
    const Value again =
        new_instance(arena, parse_type(arena, sample.type, nullptr), {&text, 1}, nullptr);
    CHECK(equal(value, again));
  }
}

TEST_CASE("rich data is read back as it was written") {
  Arena arena;
  for (const char* json : {"[1,\"a\",1.5,true,null]", R"({"__ptype":"Default"})",
                           R"({"__ptype":"Hash","__pvalue":[1,2]})",
                           R"({"__ptype":"Hash","__pvalue":["__ptype","x"]})",
                           R"({"__ptype":"Regexp","__pvalue":"a/b"})",
                           R"({"__ptype":"SemVerRange","__pvalue":"1.x || 2.x"})",
                           R"({"__ptype":"Deferred","name":"x","arguments":[1]})",
                           R"({"a":{"__ptype":"Binary","__pvalue":"aGk="}})"}) {
    CHECK(write(read(arena, json)) == json);
  }
  for (const char* type : {"Integer[1, 2]",
                           "Float[1.5]",
                           "String[1, 5]",
                           "Enum['a', true]",
                           "Pattern[/a/]",
                           "Array[String, 1]",
                           "Array[0, 0]",
                           "Hash[String, Integer, 1]",
                           "Tuple[String, 1, 3]",
                           "Struct[{'a' => Integer, Optional['b'] => String}]",
                           "Variant[Integer, String]",
                           "Optional['x']",
                           "Callable[[String], Integer]",
                           "Callable[0, 0]",
                           "Init[Integer, 16]",
                           "SemVer['1.x']",
                           "Timespan['0-00:00:01.0']",
                           "URI[{'scheme' => 'http'}]",
                           "Type[Integer]",
                           "Runtime['ruby', 'X']",
                           "File['/x']",
                           "Class['a']",
                           "Callable[String, Optional[Callable[Integer]]]"}) {
    const Value value = Value::type(parse_type(arena, type, nullptr));
    Value again = read(arena, write(value, TypeForm::kPcore));
    CHECK_MESSAGE(equal(value, again), type << " was read as " << interpolated(again));
  }
}

TEST_CASE("types in the form of catalogs") {
  Arena arena;
  auto pcore = [&](std::string_view type) {
    return write(Value::type(parse_type(arena, type, nullptr)), TypeForm::kPcore);
  };
  CHECK(pcore("Integer[default, 3]") == R"({"__ptype":"Pcore::IntegerType","from":null,"to":3})");
  CHECK(pcore("Array[String]") ==
        R"({"__ptype":"Pcore::ArrayType","element_type":{"__ptype":"Pcore::StringType"}})");
  CHECK(pcore("File['/x']") ==
        R"({"__ptype":"Pcore::ResourceType","type_name":"File","title":"/x"})");
  CHECK(pcore("Class['a::b']") == R"({"__ptype":"Pcore::ClassType","class_name":"a::b"})");
  const Type* given = types::given_reference(arena, parse_type(arena, "File['/x']", nullptr));
  CHECK(write(Value::type(given), TypeForm::kPcore) == R"("File[/x]")");
}

TEST_CASE("without rich data values become strings, and that is reported") {
  Arena arena;
  DiagnosticList conversions;
  const Value value =
      read(arena, R"([{"__ptype":"Timespan","__pvalue":"0-00:00:01.0"},{"__ptype":"Default"}])");
  CHECK(write(value, TypeForm::kPcore, false, &conversions) == R"(["0-00:00:01.0","default"])");
  REQUIRE(conversions.all.size() == 2);
  CHECK(
      conversions.all[0].message() ==
      "File[/x]['owner'][0] contains a Puppet::Pops::Time::Timespan value. It will be converted to "
      "the String '0-00:00:01.0'");
  CHECK(
      conversions.all[1].message() ==
      "File[/x]['owner'][1] contains the special value default. It will be converted to the String "
      "'default'");
}

TEST_CASE("documents that are wrong are refused") {
  Arena arena;
  for (const char* json : {"{", R"({"__ptype":"Hash","__pvalue":[1]})", R"({"__ptype":"Nothing"})",
                           R"({"__ptype":"Regexp"})", R"({"__ptype":"Binary","__pvalue":"!"})",
                           R"({"__ptype":"Pcore::StructType","elements":[1]})",
                           R"({"__ptype":"Pcore::TypeAliasType"})", "99999999999999999999"}) {
    CHECK_THROWS_AS(read(arena, json), EvaluationError);
  }
}
