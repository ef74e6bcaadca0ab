// "Did you mean": the known name that is closest to a mistyped one.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace bunraku {

// The number of letters that must be inserted, removed, changed or swapped with a neighbour to
// convert one name to the other; more than `limit` is returned as limit + 1. Case is ignored.
size_t edit_distance(std::string_view a, std::string_view b, size_t limit);

// Returns the candidate most similar to `name`; of equally similar ones the first of those that
// begin most alike. Empty when none is similar (about a third of its letters).
std::string_view closest_name(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace bunraku
