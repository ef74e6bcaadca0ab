#include "base/text/counts.h"

#include <doctest/doctest.h>

using namespace bunraku;

TEST_CASE("counts: digits in groups of three") {
  CHECK(count_text(0) == "0");
  CHECK(count_text(999) == "999");
  CHECK(count_text(1000) == "1,000");
  CHECK(count_text(100'000) == "100,000");
  CHECK(count_text(1'234'567) == "1,234,567");
}

TEST_CASE("counts: with what is counted") {
  CHECK(counted(0, "node") == "0 nodes");
  CHECK(counted(1, "node") == "1 node");
  CHECK(counted(1000, "node") == "1,000 nodes");
  CHECK(counted(1, "hiera.yaml", "hiera.yaml") == "1 hiera.yaml");
  CHECK(counted(2, "entry", "entries") == "2 entries");
}

TEST_CASE("counts: lists are cut off") {
  CHECK(names_text({}, 2).empty());
  CHECK(names_text({"a", "b"}, 2) == "a, b");
  CHECK(names_text({"a", "b", "c"}, 2) == "a, b and 1 more");
  CHECK(names_text(std::vector<std::string>(1003, "n"), 2) == "n, n and 1,001 more");
}
