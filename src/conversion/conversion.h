// Conversions: instances of a type from other values (`new`), and values as formatted strings.
#pragma once

#include <string>
#include <string_view>

#include "values/type.h"

namespace bunraku {

class TypeResolver;

// The language's String(value, format); `format` is undef, a format string, or a hash from types to
// formats. Throws EvaluationError with the reference's message.
Value to_formatted_string(Arena& arena, Value value, Value format);

// Type.new(arguments...) for built-in types and Object types. Throws EvaluationError with the
// reference's message.
Value new_instance(Arena& arena, const Type* type, std::span<const Value> arguments,
                   TypeResolver* resolver);

// Creates an instance from a hash of its attributes (see init_hash_of()). Throws EvaluationError,
// "NAME initializer has wrong type ...", when the hash does not match the type.
Value object_from_hash(Arena& arena, const ObjectType& type, Value hash);

}  // namespace bunraku
