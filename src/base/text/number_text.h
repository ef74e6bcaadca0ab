// Numbers to and from text, as Ruby has them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bunraku {

// Ruby's Float#to_s: the shortest digits that read back as the same number; "1.0e+16", "Infinity".
std::string float_text(double value);
void append_float(std::string& to, double value);

void append_integer(std::string& to, int64_t value);

// All of `digits` as an integer of the given radix, with an optional sign; nothing when it is
// empty, has another character, or does not fit 64 bits.
std::optional<int64_t> parse_integer(std::string_view digits, int radix = 10);

// All of `text` as a decimal number ("1", "-1.5e-3"); nothing when something else stands there.
// Too large becomes infinity, too small zero.
std::optional<double> parse_float(std::string_view text);

}  // namespace bunraku
