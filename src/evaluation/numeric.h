// Conversion of strings to numbers, by the rules of the language's implicit conversion.
#pragma once

#include <optional>
#include <string_view>

#include "values/value.h"

namespace bunraku {

// Parses a decimal, octal (leading 0), hexadecimal or floating-point number with an optional sign;
// blanks are allowed around it and after the sign. Nothing for other text.
std::optional<Value> to_number(std::string_view text);

}  // namespace bunraku
