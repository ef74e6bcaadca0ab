// Facts excluded by name.
#include "store/commands/fact_filter.h"

#include <doctest/doctest.h>

#include "store/error.h"

using bunraku::store::FactFilter;
using bunraku::store::StoreError;

TEST_CASE("names leave out facts of exactly these names") {
  const FactFilter filter({"uptime", "a.b"}, false);
  CHECK_FALSE(filter.keeps_all());
  CHECK_FALSE(filter.keeps("uptime"));
  CHECK_FALSE(filter.keeps("a.b"));
  CHECK(filter.keeps("axb"));
  CHECK(filter.keeps("uptime_seconds"));
  CHECK(filter.keeps("Uptime"));
  CHECK(filter.keeps(""));
}

TEST_CASE("expressions leave out facts whose whole names they match") {
  const FactFilter filter({"up", "a.b|c", "^net.*$"}, true);
  CHECK_FALSE(filter.keeps("up"));
  CHECK(filter.keeps("uptime"));
  CHECK_FALSE(filter.keeps("axb"));
  CHECK_FALSE(filter.keeps("c"));
  CHECK(filter.keeps("ac"));
  CHECK_FALSE(filter.keeps("network"));
  CHECK(filter.keeps("x\nnet"));
}

TEST_CASE("without names everything is kept") {
  CHECK(FactFilter().keeps_all());
  CHECK(FactFilter({}, true).keeps("uptime"));
  CHECK(FactFilter().text().empty());
}

TEST_CASE("filters that keep other facts have other texts") {
  CHECK(FactFilter({"a"}, false).text() != FactFilter({"a"}, true).text());
  CHECK(FactFilter({"a"}, false).text() != FactFilter({"b"}, false).text());
  CHECK(FactFilter({"a", "b"}, false).text() == FactFilter({"a", "b"}, false).text());
}

TEST_CASE("a pattern that is none is refused") {
  CHECK_THROWS_AS(FactFilter({"(a"}, true), const StoreError&);
}
