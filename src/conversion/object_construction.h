// Constructors of Object types, as in the class that the reference creates for such a type.
#pragma once

#include <vector>

#include "values/type.h"

namespace bunraku {

// The attributes that are not derived; those that need a value are first.
std::vector<const ObjectMember*> attributes_by_position(Arena& arena, const ObjectType& type);

// The same in the order of `new`. Throws EvaluationError when the type inherits its ancestor's
// constructor and that has other parameters.
std::vector<const ObjectMember*> constructor_parameters(Arena& arena, const ObjectType& type);

// Creates an instance from arguments by position. Throws EvaluationError when one of the
// constructors gets too few or too many.
Value construct(Arena& arena, const ObjectType& type, std::span<const Value> arguments);

// Returns whether instances read the derived attribute from an ancestor's attribute of the same
// name: a type that adds no attributes has no method for it either.
bool is_read_from_ancestor(const ObjectMember& derived);

}  // namespace bunraku
