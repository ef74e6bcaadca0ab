#include "site/lookup/merge.h"

#include <doctest/doctest.h>

#include <string>

#include "base/diagnostics/diagnostic.h"
#include "base/formats/json.h"
#include "serialization/serialization.h"

using namespace bunraku;

namespace {

struct Merging {
  Arena arena;
  Value json(std::string_view text) { return read_json(arena, arena.copy(text), "test"); }
  std::string merged(std::string_view strategy, std::string_view high, std::string_view low) {
    const MergeStrategy merge = merge_strategy(json(strategy));
    const Value value = merge_values(arena, merge, json(high), json(low));
    std::string out;
    JsonWriter writer(out);
    write_rich_data(writer, value, true, TypeForm::kText);
    return out;
  }
};

}  // namespace

TEST_CASE("hash merging lets the higher level win and keeps the lower level's order") {
  Merging m;
  CHECK(m.merged(R"("hash")", R"({"b": 1, "c": 2})", R"({"a": 3, "b": 4})") ==
        R"({"a":3,"b":1,"c":2})");
}

TEST_CASE("unique merging flattens") {
  Merging m;
  CHECK(m.merged(R"("unique")", R"([1, [2, 3]])", R"([3, 4])") == "[1,2,3,4]");
  CHECK(m.merged(R"("unique")", R"("a")", R"(["b", "a"])") == R"(["a","b"])");
}

TEST_CASE("deep merging puts the lower level's elements first") {
  Merging m;
  CHECK(m.merged(R"("deep")", R"({"x": [1, 2], "y": {"b": 1}})",
                 R"({"x": [2, 3], "y": {"a": 2}})") == R"({"x":[2,3,1],"y":{"a":2,"b":1}})");
}

TEST_CASE("deep merging knocks out") {
  Merging m;
  const std::string_view strategy = R"({"strategy": "deep", "knockout_prefix": "--"})";
  CHECK(m.merged(strategy, R"({"x": ["--1", "2"]})", R"({"x": ["1", "3"]})") ==
        R"({"x":["3","2"]})");
  CHECK(m.merged(strategy, R"({"x": "--"})", R"({"x": [1, 2]})") == R"({"x":""})");
  CHECK(m.merged(strategy, R"({"x": ["--", 5]})", R"({"x": [1, 2]})") == R"({"x":[5]})");
}

TEST_CASE("deep merging can sort and merge hashes in arrays") {
  Merging m;
  CHECK(m.merged(R"({"strategy": "deep", "sort_merged_arrays": true})", R"([3, 1])", R"([2])") ==
        "[1,2,3]");
  CHECK(m.merged(R"({"strategy": "deep", "merge_hash_arrays": true})", R"([{"a": 1}, {"b": 2}])",
                 R"([{"c": 3}])") == R"([{"c":3,"a":1},{"b":2}])");
}

TEST_CASE("strategies are checked") {
  Merging m;
  CHECK_THROWS_WITH_AS(merge_strategy(m.json(R"("best")")), "Unknown merge strategy: 'best'",
                       EvaluationError);
  CHECK_THROWS_AS(merge_strategy(m.json(R"({"knockout_prefix": "--"})")), EvaluationError);
}
