// Making values of a type from other values (`new`), and values as strings.
#pragma once

#include <string>
#include <string_view>

#include "pcore/type.h"

namespace bunraku {

class TypeResolver;

// The text of a value in an interpolated string: undef is empty, 1.0 is "1.0", arrays are
// "[1, 2]", hashes "{a => 1}", Sensitive is redacted.
void append_interpolated(std::string& out, Value value);
std::string interpolated(Value value);

// The language's String(value, format): `format` undef, a format string, or a hash from types to
// formats. Throws EvaluationError with the reference's message.
Value to_formatted_string(Arena& arena, Value value, Value format);

// Type.new(arguments...) for built-in types and Object types. Throws EvaluationError with the
// reference's message.
Value new_instance(Arena& arena, const Type* type, std::span<const Value> arguments,
                   TypeResolver* resolver);

}  // namespace bunraku
