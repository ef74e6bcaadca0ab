#include "values/type.h"
#include "types/built_in_types.h"
#include "types/mismatch.h"
#include "types/relations.h"
#include "types/type_text.h"

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <string>

#include "base/diagnostics/diagnostic.h"
#include "syntax/parser.h"

using namespace bunraku;

namespace {

std::string round_trip(std::string_view text) {
  Arena arena;
  return to_text(parse_type(arena, text, nullptr));
}

bool takes(std::string_view to, std::string_view from) {
  Arena arena;
  return is_assignable(parse_type(arena, to, nullptr), parse_type(arena, from, nullptr));
}

std::string error_of(std::string_view text) {
  Arena arena;
  try {
    return "no error: " + to_text(parse_type(arena, text, nullptr));
  } catch (const EvaluationError& error) {
    return error.what();
  }
}

// Types declared in a piece of code.
class Declared : public TypeResolver {
 public:
  explicit Declared(std::string code) {
    DiagnosticList mistakes;
    program_ = parse(std::make_shared<SourceFile>("", std::move(code)), ParseOptions{}, mistakes);
    for (const Expression* definition : program_->definitions) {
      const auto& alias = definition->as<TypeAlias>();
      types_[std::string(alias.name.text())] = declare_type(arena, *program_, alias);
    }
    for (const auto& [name, type] : types_) resolve_declared_type(arena, type, this);
  }
  const Type* find_type(std::string_view name) override {
    auto found = types_.find(std::string(name));
    return found == types_.end() ? nullptr : found->second;
  }
  const Type* operator[](std::string_view name) { return find_type(name); }

  Arena arena;

 private:
  std::shared_ptr<Program> program_;
  std::map<std::string, const Type*> types_;
};

}  // namespace

TEST_CASE("types: text is canonical and reads back") {
  CHECK(round_trip("Integer[1]") == "Integer[1]");
  CHECK(round_trip("Integer[default,5]") == "Integer[default, 5]");
  CHECK(round_trip("Array[Any,1]") == "Array[Any, 1]");
  CHECK(round_trip("Array[Integer,0]") == "Array[Integer, 0]");
  CHECK(round_trip("Array[0,0]") == "Array[0, 0]");
  CHECK(round_trip("Hash[String,Any]") == "Hash[String, Any]");
  CHECK(round_trip("Enum[b,a,b,true]") == "Enum['a', 'b', true]");
  CHECK(round_trip("Variant[Integer,Variant[String,Integer]]") == "Variant[Integer, String]");
  CHECK(round_trip("Struct[{a=>Optional[Integer],Optional[b]=>String,NotUndef[c]=>Any}]") ==
        "Struct[{'a' => Optional[Integer], Optional['b'] => String, NotUndef['c'] => Any}]");
  CHECK(round_trip("Callable[[String,1,2,Callable],Integer]") ==
        "Callable[[String, 1, 2, Callable], Integer]");
  CHECK(round_trip("Callable[0]") == "Callable[0]");
  CHECK(round_trip("Timespan[1,2]") == "Timespan['0-00:00:01.0', '0-00:00:02.0']");
  CHECK(round_trip("Resource['foo::bar',x]") == "Foo::Bar['x']");
  CHECK(round_trip("Pattern[/a\\/b/]") == "Pattern[/a\\/b/]");
  CHECK(round_trip("Foo::Bar[1]") == "TypeReference['Foo::Bar[1]']");
}

TEST_CASE("types: what is no type says so") {
  CHECK(error_of("1 + 2") == "The expression <1 + 2> is not a valid type specification.");
  CHECK(error_of("Array['a']") == "The expression <Array['a']> is not a valid type specification.");
  CHECK(error_of("Integer[3,1]") == "'from' must be less or equal to 'to'. Got (3, 1");
  CHECK(error_of("Hash[String]") ==
        "Invalid number of type parameters specified: Hash requires 2 to 4, 1 provided");
  CHECK(error_of("Any[1]") == "Not a parameterized type <Any>");
  CHECK(error_of("Pattern['[']") == "premature end of char-class: /[/");
}

TEST_CASE("types: assignability of texts, numbers and what may be undef") {
  CHECK(takes("String[1]", "Enum[a, bc]"));
  CHECK_FALSE(takes("String[2]", "Enum[a, bc]"));
  CHECK(takes("Enum['A', true]", "Enum[a]"));
  CHECK_FALSE(takes("Enum[a]", "Enum['A', true]"));
  CHECK(takes("Pattern[/b/]", "Enum[ab, b]"));
  CHECK_FALSE(takes("Pattern[/b/]", "Enum[ab, c]"));
  CHECK(takes("Numeric", "Variant[Integer, Float]"));
  CHECK_FALSE(takes("NotUndef", "Optional[Integer]"));
  CHECK(takes("Optional", "Integer"));
  CHECK(takes("Array", "Tuple[Integer, String]"));
  CHECK(takes("Tuple[Integer]", "Array[Integer, 1, 1]"));
  CHECK_FALSE(takes("Tuple[Integer]", "Array[Integer]"));
  CHECK(takes("Struct[{a => Integer}]", "Hash[String, Integer, 1, 1]"));
  CHECK(takes("Hash[String, Integer]", "Struct[{a => Integer}]"));
  CHECK(takes("Hash[Integer, Integer]", "Hash[0, 0]"));
}

TEST_CASE("types: a callable takes wider parameters and gives narrower results") {
  CHECK(takes("Callable[Integer]", "Callable[Numeric]"));
  CHECK_FALSE(takes("Callable[Numeric]", "Callable[Integer]"));
  CHECK(takes("Callable[[Integer], Numeric]", "Callable[[Integer], Integer]"));
  CHECK_FALSE(takes("Callable[[Integer], Integer]", "Callable[[Integer], Numeric]"));
  CHECK_FALSE(takes("Callable[Integer]", "Callable[Integer, Callable]"));
  CHECK(takes("Callable[Integer]", "Callable[Integer, Optional[Callable]]"));
}

TEST_CASE("types: recursive aliases") {
  Declared types(
      "type Tree = Variant[Integer, Hash[String, Tree]]\n"
      "type Maybe = Hash[String, Optional[Maybe]]\n"
      "type Json = Variant[Scalar, Undef, Array[Json], Hash[String, Json]]\n");
  CHECK(is_assignable(types["Tree"], types["Tree"]));
  CHECK(is_assignable(types["Maybe"], types["Maybe"]));
  CHECK(is_assignable(types["Json"], types["Tree"]));
  CHECK_FALSE(is_assignable(types["Tree"], types["Json"]));
  CHECK(to_text(types["Tree"]) == "Tree");
  CHECK(to_display_text(types["Tree"]) == "Tree = Variant[Integer, Hash[String, Tree]]");
  HashBuilder inner(types.arena), outer(types.arena);
  inner.set("a", Value::integer(1));
  outer.set("b", inner.finish());
  const Value tree = outer.finish();
  CHECK(is_instance(types["Tree"], tree));
  CHECK(is_instance(types["Json"], tree));
  CHECK_FALSE(is_instance(types["Maybe"], tree));
}

TEST_CASE("types: an alias of nothing is refused") {
  CHECK_THROWS_WITH(Declared("type A = B\ntype B = A"),
                    "Type alias 'A' cannot be resolved to a real type");
  CHECK_THROWS_WITH(Declared("type A = Variant[A]"),
                    "Type alias 'A' cannot be resolved to a real type");
}

TEST_CASE("types: deep values and types end in an error") {
  Arena arena;
  Value value = Value::integer(1);
  for (int i = 0; i < 100'000; ++i) value = Value::array(arena, {value});
  CHECK_THROWS_AS(is_instance(types::kData, value), EvaluationError);
  CHECK_THROWS_AS(infer(arena, value), EvaluationError);
  const Type* type = types::kInteger;
  for (int i = 0; i < 100'000; ++i) type = types::array(arena, type);
  CHECK_THROWS_AS(is_assignable(type, type), EvaluationError);
  CHECK_THROWS_AS(to_text(type), EvaluationError);
  CHECK_THROWS_AS(normalize(arena, type), EvaluationError);
  CHECK_THROWS_AS(parse_type(arena, std::string(100'000, '['), nullptr), EvaluationError);
}

TEST_CASE("types: inference") {
  Arena arena;
  const Value list = Value::array(arena, {Value::integer(1), Value::string("a"), Value::undef()});
  CHECK(to_text(infer(arena, list)) == "Array[ScalarData, 3, 3]");
  CHECK(to_text(infer_detailed(arena, list)) == "Tuple[Integer[1, 1], String, Undef]");
  CHECK(to_text(generalize(arena, infer(arena, list))) == "Array[ScalarData]");
  HashBuilder builder(arena);
  builder.set("k", Value::floating(2.5));
  const Value hash = builder.finish();
  CHECK(to_text(infer(arena, hash)) == "Hash[String, Float[2.5, 2.5], 1, 1]");
  CHECK(to_text(infer_detailed(arena, hash)) == "Struct[{'k' => Float[2.5, 2.5]}]");
}

TEST_CASE("types: object types check their definitions") {
  CHECK_THROWS_WITH(
      Declared("type T = Object[{attributes => {a => {type => Integer, value => 'x'}}}]"),
      "attribute T[a] value has wrong type, expects an Integer value, got String");
  CHECK_THROWS_WITH(
      Declared("type T = Object[{attributes => {a => Integer}}]\n"
               "type U = Object[{parent => T, attributes => {a => String}}]"),
      "attribute U[a] attempts to override attribute T[a] without having override => true");
  CHECK_THROWS_WITH(Declared("type T = Object[{attributes => {a => Integer}, equality => [b]}]"),
                    "T equality is referencing non existent attribute 'b'");
}

TEST_CASE("types: type sets know their own types") {
  Declared types(
      "type Cars = TypeSet[{pcore_version => '1.0.0', version => '1.0.0', types => {"
      "Car => {attributes => {age => Age}}, Age => Integer[0, 120]}}]");
  const auto& set = types["Cars"]->as<TypeSetType>();
  const Type* car = find_in_type_set(set, "car");
  REQUIRE(car != nullptr);
  CHECK(car->as<ObjectType>().name == "Cars::Car");
  CHECK(find_member(car->as<ObjectType>(), "age")->type == find_in_type_set(set, "Age"));
  CHECK(find_in_type_set(set, "Bus") == nullptr);
}
