// Parsing of small texts in which the system describes itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/text/ascii.h"

namespace bunraku::facts {

// Splits at separators; empty parts are omitted.
std::vector<std::string_view> split(std::string_view text, char separator);
// Splits at runs of white space.
std::vector<std::string_view> words(std::string_view text);
// The lines, without line ends.
std::vector<std::string_view> lines(std::string_view text);
// The number at the start, as Ruby's to_i: 0 when there are no digits.
int64_t leading_integer(std::string_view text);
// The text after `key` and a separator at the start of a line ("domain example.com"); nothing when
// there is no such line.
std::optional<std::string_view> line_value(std::string_view text, std::string_view key);
bool contains(std::string_view text, std::string_view part);
std::string_view after_last_slash(std::string_view path);

}  // namespace bunraku::facts
