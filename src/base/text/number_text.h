// Conversion of numbers to text and back, as in Ruby.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bunraku {

// Ruby's Float#to_s: the shortest digits that are read as the same number; "1.0e+16", "Infinity".
std::string float_text(double value);
void append_float(std::string& to, double value);

void append_integer(std::string& to, int64_t value);

// Parses all of `digits` as an integer of the given radix, with an optional sign; nothing when it
// is empty, has another character, or does not fit 64 bits.
std::optional<int64_t> parse_integer(std::string_view digits, int radix = 10);

// Parses all of `text` as a decimal number ("1", "-1.5e-3"); nothing for other text. Too large
// numbers become infinity, too small ones zero.
std::optional<double> parse_float(std::string_view text);

}  // namespace bunraku
