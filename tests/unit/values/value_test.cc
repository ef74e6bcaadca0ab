#include "values/value.h"

#include <doctest/doctest.h>

#include <string>

#include "base/diagnostics/diagnostic.h"

using namespace bunraku;

TEST_CASE("values: equality is lax about case and kinds of numbers, identity is not") {
  CHECK(equal(Value::string("Abc"), Value::string("aBC")));
  CHECK_FALSE(identical(Value::string("Abc"), Value::string("aBC")));
  CHECK(equal(Value::integer(1), Value::floating(1.0)));
  CHECK_FALSE(identical(Value::integer(1), Value::floating(1.0)));
  CHECK_FALSE(equal(Value::integer(9007199254740993), Value::floating(9007199254740992.0)));
  CHECK_FALSE(equal(Value::string("1"), Value::integer(1)));
  CHECK(equal(Value::timespan(5'900'000'000), Value::integer(5)));
  CHECK_FALSE(equal(Value::timespan(5), Value::timestamp(5)));
  // Only ASCII letters are compared without case.
  CHECK_FALSE(equal(Value::string("\xC3\x84"), Value::string("\xC3\xA4")));
}

TEST_CASE("values: hashes keep the place of a key that is set again") {
  Arena arena;
  HashBuilder builder(arena);
  for (int i = 0; i < 100; ++i) builder.set(Value::integer(i), Value::integer(i));
  builder.set(Value::integer(3), Value::string("three"));
  const Value value = builder.finish();
  const HashObject& hash = value.as_hash();
  CHECK(hash.size == 100);
  CHECK(hash.items()[3].value.as_string() == "three");
  CHECK(hash.find(Value::integer(99))->as_integer() == 99);
  CHECK(hash.find(Value::floating(99.0)) == nullptr);
  CHECK(hash.find("99") == nullptr);
}

TEST_CASE("values: hashes find keys with and without an index, and after one has gone") {
  Arena arena;
  for (const int size : {1, 8, 9, 17, 1000}) {
    HashBuilder builder(arena);
    for (int i = 0; i < size; ++i) {
      builder.set(arena.copy(std::string_view("key" + std::to_string(i))), Value::integer(i));
    }
    CHECK(builder.erase(Value::string("key0")));
    CHECK_FALSE(builder.erase(Value::string("key0")));
    const Value value = builder.finish();
    CHECK(value.as_hash().find("key0") == nullptr);
    for (int i = 1; i < size; ++i) {
      const Value* found = value.as_hash().find("key" + std::to_string(i));
      REQUIRE(found != nullptr);
      CHECK(found->as_integer() == i);
    }
  }
}

TEST_CASE("values: equality of hashes does not depend on order") {
  Arena arena;
  HashBuilder a(arena), b(arena);
  a.set("x", Value::integer(1));
  a.set("y", Value::string("Q"));
  b.set("y", Value::string("q"));
  b.set("x", Value::integer(1));
  const Value first = a.finish(), second = b.finish();
  CHECK(equal(first, second));
  CHECK_FALSE(identical(first, second));
  HashBuilder c(arena);
  c.set("x", Value::undef());
  HashBuilder d(arena);
  d.set("z", Value::undef());
  // As in the reference, an absent key equals undef.
  CHECK(equal(c.finish(), d.finish()));
}

TEST_CASE("values: what is nested without end is refused") {
  Arena arena;
  Value a = Value::integer(1), b = Value::integer(1);
  for (int i = 0; i < 100'000; ++i) {
    a = Value::array(arena, {a});
    b = Value::array(arena, {b});
  }
  CHECK_THROWS_AS(identical(a, b), EvaluationError);
  CHECK_THROWS_AS(equal(a, b), EvaluationError);
  CHECK(hash_of(a) == hash_of(b));
}
