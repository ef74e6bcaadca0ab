#include "functions/stdlib/digests.h"

#include <algorithm>

#include "functions/core/known_source.h"

namespace bunraku::stdlib {

namespace {

// Sorted by name and digest; made by tools/function-digests from the history of the module.
constexpr KnownSource kSources[] = {
#include "functions/stdlib/digests.inc"
};
static_assert(std::ranges::is_sorted(kSources));

// Made by tools/function-digests too: for the files that shims.cc stands for.
constexpr KnownSource kShims[] = {
#include "functions/stdlib/shims.inc"
};
static_assert(std::ranges::is_sorted(kShims));

}  // namespace

bool is_known_source(std::string_view function, std::string_view digest) {
  return std::ranges::binary_search(kSources, KnownSource{function, digest});
}

bool is_shim_source(std::string_view function, std::string_view digest) {
  return std::ranges::binary_search(kShims, KnownSource{function, digest});
}

}  // namespace bunraku::stdlib
