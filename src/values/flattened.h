// Flattening of nested arrays.
#pragma once

#include <span>

#include "values/value.h"

namespace bunraku {

class Arena;

// Returns the items, with each array replaced by its contents, at any depth. Returns `items` itself
// when none is an array; otherwise the result is in `arena`. Throws EvaluationError beyond the
// limits in bounds.h.
std::span<const Value> flattened(Arena& arena, std::span<const Value> items);

}  // namespace bunraku
