// Properties of all types, checked on random ones.

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "../values/random_values.h"
#include "types/built_in_types.h"
#include "types/relations.h"
#include "types/type_text.h"
#include "values/type.h"

using namespace bunraku;
using namespace bunraku::testing;

namespace {

// The same seed in every run, unless the environment sets one.
const int seeded = setenv("RC_PARAMS", "seed=20", 0);

rc::Gen<std::string> any_type_text() {
  return type_text(3);
}

const Type* parsed(Arena& arena, const std::string& text) {
  return parse_type(arena, text, nullptr);
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
  // Types that are likely to be related. A bare Optional or Enum, Init and strings of one value are
  // left out, because the reference's rules for them violate the property.
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
    const Value value = plain_value(arena, 3);
    RC_ASSERT(is_instance(infer_detailed(arena, value), value));
  }));
}

TEST_CASE("type properties: what takes a value's detailed type has it as an instance") {
  CHECK(rc::check([] {
    Arena arena;
    const Value value = plain_value(arena, 2);
    const Type* type = parsed(arena, *any_type_text());
    const bool is_sensible =
        type->kind != TypeKind::kOptional;  // a bare Optional accepts all types
    if (is_sensible && is_instance(type, value)) {
      RC_ASSERT(is_instance(normalize(arena, type), value));
    }
  }));
}

TEST_CASE("type properties: equal values have equal hashes") {
  CHECK(rc::check([] {
    Arena arena;
    const Value value = plain_value(arena, 3);
    const Value other = plain_value(arena, 3);
    RC_ASSERT(identical(value, value));
    RC_ASSERT(hash_of(value) == hash_of(value));
    if (identical(value, other)) RC_ASSERT(hash_of(value) == hash_of(other));
  }));
}
