// Instances of Object types at run time.
#pragma once

#include <string_view>
#include <vector>

#include "values/type.h"

namespace bunraku {

// The Object type behind `type`: aliases followed, parameters of a use left off. Null when `type`
// is no Object.
const ObjectType* object_type_of(const Type* type);

// Where the attribute stands in an instance's `attributes`; -1 when there is none of the name (a
// constant has no place there).
int attribute_index(const ObjectType& type, std::string_view name);

// Whether it is an attribute whose value an instance is given.
bool is_given(const ObjectMember& member);

// The value of an attribute or constant, inherited ones included; null when there is none.
const Value* find_attribute(const ObjectInstance& object, std::string_view name);

// The Object type whose members the type inherits. A parameterised one hands down none.
const ObjectType* ancestor_with_members(const ObjectType& type);

// The type and the ancestors whose members it inherits, the oldest first.
std::vector<const ObjectType*> lineage_of(const ObjectType& type);

// The type parameters of the type and its ancestors, the oldest's first.
std::vector<const ObjectMember*> type_parameters_of(const ObjectType& type);
// The name of one of them; empty when there are not so many.
std::string_view type_parameter_name(const ObjectType& type, size_t index);

// As the types' `equality` has it.
bool same_object(const ObjectInstance& a, const ObjectInstance& b);
// The same for those that are the same; looks at their types only.
uint32_t hash_of_object(const ObjectInstance& object);
// The attributes that objects of one type are compared by; none where the type is not compared.
std::vector<Value> compared_values(const ObjectInstance& object);

}  // namespace bunraku
