// Instances of Object types.
#pragma once

#include <string_view>
#include <vector>

#include "values/type.h"

namespace bunraku {

// Returns the Object type of `type`, with aliases resolved and parameters removed. Null when `type`
// is not an Object.
const ObjectType* object_type_of(const Type* type);

// The index of the attribute in an instance's `attributes`; -1 when there is none of the name (a
// constant has none).
int attribute_index(const ObjectType& type, std::string_view name);

// Returns whether the member is an attribute whose value is passed to `new`.
bool is_given(const ObjectMember& member);

// The value of an attribute or constant, also inherited ones; null when there is none.
const Value* find_attribute(const ObjectInstance& object, std::string_view name);

// The Object type whose members the type inherits. A parameterised one passes none down.
const ObjectType* ancestor_with_members(const ObjectType& type);

// The type and the ancestors whose members it inherits, the oldest first.
std::vector<const ObjectType*> lineage_of(const ObjectType& type);

// The type parameters of the type and its ancestors, the oldest's first.
std::vector<const ObjectMember*> type_parameters_of(const ObjectType& type);
// The name of one of them; empty when there are fewer.
std::string_view type_parameter_name(const ObjectType& type, size_t index);

// Compares by the types' `equality`.
bool same_object(const ObjectInstance& a, const ObjectInstance& b);
// A hash that is consistent with same_object(); uses only the type.
uint32_t hash_of_object(const ObjectInstance& object);
// The attributes by which objects of one type are compared; empty when the type is not compared.
std::vector<Value> compared_values(const ObjectInstance& object);

}  // namespace bunraku
