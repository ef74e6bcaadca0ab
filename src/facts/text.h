// Taking apart the small texts that the system describes itself with.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace bunraku::facts {

// Without white space at both ends.
std::string_view stripped(std::string_view text);
// The parts between separators; empty ones are left out.
std::vector<std::string_view> split(std::string_view text, char separator);
// The parts between runs of white space.
std::vector<std::string_view> words(std::string_view text);
// Lines without their ends.
std::vector<std::string_view> lines(std::string_view text);
// The digits at the beginning, as Ruby's to_i reads them: 0 when there are none.
int64_t leading_integer(std::string_view text);
// What stands after `key` and a separator at the start of a line ("domain example.com"); nothing
// when no line begins so.
std::optional<std::string_view> line_value(std::string_view text, std::string_view key);
bool contains(std::string_view text, std::string_view part);
std::string_view after_last_slash(std::string_view path);

}  // namespace bunraku::facts
