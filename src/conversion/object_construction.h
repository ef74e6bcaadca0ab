// What the class that the reference makes of an Object type does with the arguments of `new`.
#pragma once

#include <vector>

#include "values/type.h"

namespace bunraku {

// The attributes that are not derived: those that need a value first.
std::vector<const ObjectMember*> attributes_by_position(Arena& arena, const ObjectType& type);

// The same in the order in which `new` takes them. Throws EvaluationError where the type leaves its
// ancestor's constructor in place, and that takes others.
std::vector<const ObjectMember*> constructor_parameters(Arena& arena, const ObjectType& type);

// The instance that the arguments by position make. Throws EvaluationError when a constructor on
// the way gets too few of them, or too many.
Value construct(Arena& arena, const ObjectType& type, std::span<const Value> arguments);

// Whether instances read the derived attribute from what an ancestor holds under its name: a type
// that adds nothing to hold has no method for it either.
bool is_read_from_ancestor(const ObjectMember& derived);

}  // namespace bunraku
