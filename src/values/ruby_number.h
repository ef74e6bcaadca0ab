// Strings as numbers, by the rules of Ruby's Integer() and Float().
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/text/big_integer.h"

namespace bunraku {

// Integer(text, base): white space around, a sign, a prefix (0x, 0b, 0o, 0d or 0) that fits the
// base, digits with single underscores between them. `base` 0 lets the prefix decide.
std::optional<BigInteger> ruby_integer(std::string_view text, int base = 0);

// Float(text): decimal or hexadecimal. Too large is infinity.
std::optional<double> ruby_float(std::string_view text);

// What Ruby says of a text that is none: its bytes beyond ASCII are escaped.
std::string invalid_float_message(std::string_view text);

}  // namespace bunraku
