// Arrays in arrays made one.
#pragma once

#include <span>

#include "values/value.h"

namespace bunraku {

class Arena;

// The items, and in place of each array what it holds, in their order and at any depth. `items`
// itself when none is an array; otherwise what is returned lives in `arena`. Throws EvaluationError
// past the bounds of bounds.h.
std::span<const Value> flattened(Arena& arena, std::span<const Value> items);

}  // namespace bunraku
