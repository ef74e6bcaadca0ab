// Conversion of strings to numbers by the rules of Ruby's Integer() and Float().
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/text/big_integer.h"

namespace bunraku {

// Integer(text, base): surrounding white space, a sign, a prefix (0x, 0b, 0o, 0d or 0) that matches
// the base, digits with single underscores between them. With `base` 0 the prefix determines the
// base.
std::optional<BigInteger> ruby_integer(std::string_view text, int base = 0);

// Float(text): decimal or hexadecimal. A value that is too large is infinity.
std::optional<double> ruby_float(std::string_view text);

// Ruby's error message for other text: its bytes beyond ASCII are escaped.
std::string invalid_float_message(std::string_view text);

}  // namespace bunraku
