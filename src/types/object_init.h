// Conversion of definition hashes to Object types and type sets, and back.
#pragma once

#include <string_view>

#include "values/type.h"

namespace bunraku {

class TypeResolver;

// The definition hash of a type, as in Object[{...}]: name, parent, type_parameters, attributes,
// constants, functions, equality, checks; only those that were given.
Value object_definition(Arena& arena, const ObjectType& type, bool with_name);
Value type_set_definition(Arena& arena, const TypeSetType& type);

// The hash from which Type.new makes an equal instance: attributes with their default value are
// omitted.
Value init_hash_of(Arena& arena, const ObjectInstance& object);

// The Struct type of that hash.
const StructType* init_hash_type(Arena& arena, const ObjectType& type);

// The name authority of declarations in code.
constexpr std::string_view kRuntimeAuthority = "http://puppet.com/2016.1/runtime";

// Fills `type` from its definition; contained types may already refer to it. `type.name` may have
// been set before. Throws EvaluationError in the reference's words.
void define_object(Arena& arena, ObjectType& type, Value definition);
// A non-empty `authority` replaces the name authority of the definition.
void define_type_set(Arena& arena, TypeSetType& type, Value definition, TypeResolver* resolver,
                     std::string_view authority = {});

// Applies parameters: MyObject[values...] or MyObject[{name => value}].
const Type* parameterize_object(Arena& arena, const ObjectType& type, std::span<const Value> keys);

}  // namespace bunraku
