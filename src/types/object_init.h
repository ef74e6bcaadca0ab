// Object types and type sets from the hashes that define them, and back.
#pragma once

#include <string_view>

#include "values/type.h"

namespace bunraku {

class TypeResolver;

// The hash that defines the type, as Object[{...}] takes it: name, parent, type_parameters,
// attributes, constants, functions, equality, checks; only what was given.
Value object_definition(Arena& arena, const ObjectType& type, bool with_name);
Value type_set_definition(Arena& arena, const TypeSetType& type);

// The hash that Type.new takes to make an equal instance: attributes that have their default are
// left out.
Value init_hash_of(Arena& arena, const ObjectInstance& object);

// The Struct that describes that hash.
const StructType* init_hash_type(Arena& arena, const ObjectType& type);

// The name authority of what is declared in code.
constexpr std::string_view kRuntimeAuthority = "http://puppet.com/2016.1/runtime";

// Fills in `type` (which is then as good as declared: it may be reached by what it holds) from its
// definition. `type.name` may have been given already. Throws EvaluationError in the reference's
// words.
void define_object(Arena& arena, ObjectType& type, Value definition);
// `authority` is the set's name authority whatever the definition says, unless it is empty.
void define_type_set(Arena& arena, TypeSetType& type, Value definition, TypeResolver* resolver,
                     std::string_view authority = {});

// MyObject[values...] or MyObject[{name => value}].
const Type* parameterize_object(Arena& arena, const ObjectType& type, std::span<const Value> keys);

}  // namespace bunraku
