#include "base/text/suggestion.h"

#include <doctest/doctest.h>

using namespace bunraku;

TEST_CASE("suggestion: distances") {
  CHECK(edit_distance("strict", "strict", 3) == 0);
  CHECK(edit_distance("strict", "STRICT", 3) == 0);
  CHECK(edit_distance("strict", "srtict", 3) == 1);
  CHECK(edit_distance("strict", "stict", 3) == 1);
  CHECK(edit_distance("abc", "xyz", 2) == 3);
  CHECK(edit_distance("", "ab", 5) == 2);
}

TEST_CASE("suggestion: the closest name") {
  const std::string_view names[] = {"file", "filter", "each", "map"};
  CHECK(closest_name("flie", names) == "file");
  CHECK(closest_name("filtr", names) == "filter");
  CHECK(closest_name("a", names) == "");
  CHECK(closest_name("something", names) == "");
  const std::string_view options[] = {"--code", "--noop", "--node"};
  CHECK(closest_name("--nope", options) == "--node");
  CHECK(closest_name("--nop", options) == "--noop");
  const std::string_view alike[] = {"--code", "--noop"};
  CHECK(closest_name("--nope", alike) == "--noop");
}
