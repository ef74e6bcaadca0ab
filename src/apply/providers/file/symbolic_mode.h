// Permissions as text: "0644", "u+x,g=r".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bunraku::apply {

// Octal digits, or clauses as in chmod.
bool is_mode(std::string_view text);
bool is_numeric_mode(std::string_view text);
// "0644" and "644" become "644"; symbolic modes are unchanged.
std::string normalized_mode(std::string_view text);
// With at least four digits; symbolic modes are unchanged.
std::string displayed_mode(std::string_view text);
// The mode's bits for a file whose mode is `current`. Throws Failure for X without +.
uint32_t mode_bits(std::string_view text, uint32_t current, bool is_directory);
std::string octal(uint32_t bits);

}  // namespace bunraku::apply
