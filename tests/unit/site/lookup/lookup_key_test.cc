#include "site/lookup/lookup_key.h"

#include <doctest/doctest.h>

#include "base/diagnostics/diagnostic.h"

using namespace bunraku;

TEST_CASE("a key without dots is its own root") {
  const LookupKey key("apache::vhost");
  CHECK(key.root() == "apache::vhost");
  CHECK(key.module_name() == "apache");
  CHECK(key.segments().empty());
}

TEST_CASE("dots separate segments, quotes keep them together") {
  const LookupKey key(R"(a.0.'b.c'."d")");
  CHECK(key.root() == "a");
  REQUIRE(key.segments().size() == 3);
  CHECK(key.segments()[0].as_integer() == 0);
  CHECK(key.segments()[1].as_string() == "b.c");
  CHECK(key.segments()[2].as_string() == "d");
}

TEST_CASE("a quoted root may hold dots, and blanks around segments do not count") {
  const LookupKey key(" 'a.b' . c ");
  CHECK(key.root() == "a.b");
  REQUIRE(key.segments().size() == 1);
  CHECK(key.segments()[0].as_string() == "c");
}

TEST_CASE("malformed keys are refused") {
  for (const char* text : {"a..b", ".a", "a.", "'a", "a'b'", "''"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(LookupKey{text}, EvaluationError);
  }
}

TEST_CASE("undig builds what dig would walk") {
  Arena arena;
  const LookupKey key("a.b.1");
  const Value value = key.undig(arena, Value::integer(7));
  CHECK(value.as_hash().find("b")->as_array()[1].as_integer() == 7);
}
