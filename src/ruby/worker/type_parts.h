// What a type is made of, for Ruby code that takes types apart.
#pragma once

#include "values/type.h"

namespace bunraku {

// {name => value} under the names that the reference's classes have for them; an unbounded end of a
// range is undef. An empty hash for types that have no parts.
Value type_parts(Arena& arena, const Type* type);

}  // namespace bunraku
