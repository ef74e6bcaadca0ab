// The parts of a type, for Ruby code that takes types apart.
#pragma once

#include "values/type.h"

namespace bunraku {

// {name => value} under the names of the reference's classes; an unbounded end of a range is undef.
// An empty hash for types without parts.
Value type_parts(Arena& arena, const Type* type);

}  // namespace bunraku
