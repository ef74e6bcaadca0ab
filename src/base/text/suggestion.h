// "Did you mean": the known name that is closest to a mistyped one.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace bunraku {

// How many letters must be inserted, dropped, changed or swapped with a neighbour to get from one
// name to the other; anything above `limit` counts as limit + 1. Capitals count as small letters.
size_t edit_distance(std::string_view a, std::string_view b, size_t limit);

// The candidate that most resembles `name`; empty when none is close (about a third of its
// letters).
std::string_view closest_name(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace bunraku
