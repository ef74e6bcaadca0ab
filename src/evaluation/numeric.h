// Strings as numbers, by the rules of the language's implicit conversion.
#pragma once

#include <optional>
#include <string_view>

#include "values/value.h"

namespace bunraku {

// Decimal, octal (leading 0), hexadecimal or floating point, with an optional sign; blanks are
// allowed around it and behind the sign. Nothing when the text is no number.
std::optional<Value> to_number(std::string_view text);

}  // namespace bunraku
