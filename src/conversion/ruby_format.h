// Ruby's format strings: Kernel#format (the function `sprintf`, and the number formats of
// String.new) and String#scanf (the function `scanf`).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "values/value.h"

namespace bunraku {

// Kernel#format with all its flags, also %<name>d and %{name} (with one hash as the only argument).
// Integers in a format may have any size. Throws EvaluationError with Ruby's message.
std::string ruby_format(std::string_view format, std::span<const Value> arguments);
Value ruby_sprintf(Arena& arena, std::string_view format, std::span<const Value> arguments);

// String#scanf without a block: the values that matched, up to the first mismatch of text and
// format.
Value ruby_scanf(Arena& arena, std::string_view text, std::string_view format);

}  // namespace bunraku
