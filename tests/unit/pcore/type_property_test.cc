// What holds for all types, tried on random ones.

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "pcore/type.h"
#include "pcore/type_text.h"

using namespace bunraku;

namespace {

// The same types in every run, unless the environment says otherwise.
const int seeded = setenv("RC_PARAMS", "seed=20", 0);

// The text of a random type; shallow ones are likelier. Left out is what the reference's own rules
// do not hold for: NotUndef of a type that takes undef does not take itself, and Sensitive widens
// what it is given each time it is read.
rc::Gen<std::string> type_text(int depth) {
  auto leaf = rc::gen::element<std::string>(
      "Any", "Undef", "Default", "Scalar", "ScalarData", "Numeric", "Integer", "Integer[0]",
      "Integer[1, 5]", "Integer[3, 3]", "Float", "Float[0.0, 1.5]", "Boolean", "Boolean[true]",
      "String", "String[1]", "String[2, 4]", "Enum['a']", "Enum['a', 'bcd']", "Enum['A', true]",
      "Pattern[/a/]", "Pattern[/b/, /c/]", "Regexp", "Regexp[/x/]", "Collection", "Collection[1]",
      "Binary", "SemVer", "SemVer['1.x']", "SemVerRange", "Timespan", "Timestamp", "URI",
      "CatalogEntry", "Sensitive", "NotUndef", "Class['a']", "File['x']", "Resource", "Data",
      "RichData", "Callable", "Type");
  if (depth == 0) return leaf;
  auto inner = rc::gen::lazy([depth] { return type_text(depth - 1); });
  auto around = [&inner](std::string before, std::string after) {
    return rc::gen::map(inner, [=](std::string text) { return before + text + after; });
  };
  auto pair = [&inner](std::string before, std::string after) {
    return rc::gen::map(rc::gen::pair(inner, inner),
                        [=](std::pair<std::string, std::string> texts) {
                          return before + texts.first + ", " + texts.second + after;
                        });
  };
  return rc::gen::oneOf(leaf, around("Array[", "]"), around("Array[", ", 1, 3]"),
                        around("Hash[String, ", "]"), around("Optional[", "]"),
                        around("Type[", "]"), around("Iterable[", "]"),
                        around("Struct[{'a' => ", "}]"), around("Struct[{Optional['b'] => ", "}]"),
                        pair("Variant[", "]"), pair("Tuple[", "]"), pair("Tuple[", ", 1, 4]"),
                        pair("Hash[", "]"), around("Callable[", ", 1, 2]"));
}

rc::Gen<std::string> any_type_text() {
  return type_text(3);
}

const Type* parsed(Arena& arena, const std::string& text) {
  return parse_type(arena, text, nullptr);
}

Value random_value(Arena& arena, int depth) {
  switch (*rc::gen::inRange(0, depth == 0 ? 6 : 8)) {
    case 0:
      return Value::undef();
    case 1:
      return Value::boolean(*rc::gen::arbitrary<bool>());
    case 2:
      return Value::integer(*rc::gen::inRange(-3, 6));
    case 3:
      return Value::floating(*rc::gen::inRange(-3, 6) / 2.0);
    case 4:
      return Value::string(arena, *rc::gen::element<std::string>("", "a", "bcd", "A"));
    case 5:
      return Value::default_value();
    case 6: {
      ArrayBuilder items(arena);
      for (int i = *rc::gen::inRange(0, 4); i > 0; --i) items.push(random_value(arena, depth - 1));
      return items.finish();
    }
    default: {
      HashBuilder entries(arena);
      for (int i = *rc::gen::inRange(0, 3); i > 0; --i) {
        entries.set(random_value(arena, 0), random_value(arena, depth - 1));
      }
      return entries.finish();
    }
  }
}

}  // namespace

TEST_CASE("type properties: text reads back as the same type") {
  REQUIRE(seeded == 0);
  CHECK(rc::check([] {
    Arena arena;
    const Type* type = parsed(arena, *any_type_text());
    const Type* again = parsed(arena, to_text(type));
    RC_ASSERT(same_type(type, again));
    RC_ASSERT(to_text(again) == to_text(type));
  }));
}

TEST_CASE("type properties: every type takes itself, and Any takes all") {
  CHECK(rc::check([] {
    Arena arena;
    const Type* type = parsed(arena, *any_type_text());
    RC_ASSERT(is_assignable(type, type));
    RC_ASSERT(is_assignable(types::kAny, type));
    RC_ASSERT(is_assignable(type, types::kUnit));
  }));
}

TEST_CASE("type properties: assignability is transitive") {
  // Types that are likely to have to do with each other. The reference's rules for a bare Optional
  // or Enum, Init and strings of one value break the rule; those are not among them.
  auto plain = rc::gen::element<std::string>(
      "Any", "Scalar", "ScalarData", "Numeric", "Integer", "Integer[0]", "Integer[1, 5]",
      "Integer[3, 3]", "String", "String[1]", "String[1, 1]", "Enum['a']", "Enum['a', 'b']",
      "Enum['A', true]", "Pattern[/a/]", "Pattern", "Collection", "Collection[1]", "Array",
      "Array[Integer]", "Array[Scalar, 1]", "Array[Integer[1, 5], 1, 2]", "Array[0, 0]",
      "Tuple[Integer]", "Tuple[Integer[1, 5], Integer[3, 3]]", "Hash", "Hash[String, Integer]",
      "Hash[Scalar, Numeric, 1]", "Struct[{'a' => Integer}]", "Struct[{'a' => Integer[1, 5]}]",
      "Struct[{'a' => Integer, Optional['b'] => String}]", "Undef", "Optional[Integer]",
      "Optional[Numeric]", "Variant[Integer, String]", "Variant[Integer[3, 3], Enum['a']]",
      "NotUndef", "Data", "RichData", "Type", "Type[Numeric]", "Type[Integer]", "Callable",
      "Callable[Integer]", "Callable[Numeric]", "Callable[[Integer], Integer]", "Iterable",
      "Iterable[Integer]", "Iterable[Numeric]", "File", "File['x']", "Resource", "CatalogEntry");
  CHECK(rc::check([&plain] {
    Arena arena;
    const Type* a = parsed(arena, *plain);
    const Type* b = parsed(arena, *plain);
    const Type* c = parsed(arena, *plain);
    if (is_assignable(a, b) && is_assignable(b, c)) RC_ASSERT(is_assignable(a, c));
  }));
}

TEST_CASE("type properties: generalized and common types take what they come from") {
  CHECK(rc::check([] {
    Arena arena;
    const Type* a = parsed(arena, *any_type_text());
    const Type* b = parsed(arena, *any_type_text());
    const Type* common = common_type(arena, a, b);
    if (a->kind != TypeKind::kUndef) RC_ASSERT(is_assignable(common, a));
    if (b->kind != TypeKind::kUndef) RC_ASSERT(is_assignable(common, b));
  }));
}

TEST_CASE("type properties: a value is of the types inferred from it") {
  CHECK(rc::check([] {
    Arena arena;
    Value value = random_value(arena, 3);
    RC_ASSERT(is_instance(infer_detailed(arena, value), value));
  }));
}

TEST_CASE("type properties: what takes a value's detailed type has it as an instance") {
  CHECK(rc::check([] {
    Arena arena;
    Value value = random_value(arena, 2);
    const Type* type = parsed(arena, *any_type_text());
    bool is_sensible = type->kind != TypeKind::kOptional;  // a bare Optional takes all types
    if (is_sensible && is_instance(type, value)) {
      RC_ASSERT(is_instance(normalize(arena, type), value));
    }
  }));
}

TEST_CASE("type properties: equal values have equal hashes") {
  CHECK(rc::check([] {
    Arena arena;
    Value value = random_value(arena, 3);
    Value other = random_value(arena, 3);
    RC_ASSERT(identical(value, value));
    RC_ASSERT(hash_of(value) == hash_of(value));
    if (identical(value, other)) RC_ASSERT(hash_of(value) == hash_of(other));
  }));
}
