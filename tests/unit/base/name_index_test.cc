// Look-ups of names in short and long lists.
#include "base/memory/name_index.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace bunraku {
namespace {

TEST_CASE("names are found where they stand first") {
  Arena arena;
  std::vector<Name> names;
  const auto name_at = [&](size_t i) { return names[i]; };
  NameIndex index;
  CHECK(index.find(Name("n0"), 0, name_at) == NameIndex::kNowhere);
  for (int i = 0; i < 200; ++i) {
    names.emplace_back("n" + std::to_string(i % 150));
    index.extend(arena, names.size(), name_at);
    CHECK(index.find(Name("n0"), names.size(), name_at) == 0);
    CHECK(index.find(names.back(), names.size(), name_at) == static_cast<size_t>(i % 150));
    CHECK(index.find(Name("absent"), names.size(), name_at) == NameIndex::kNowhere);
  }
}

}  // namespace
}  // namespace bunraku
