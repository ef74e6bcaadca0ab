#include "validation/names.h"

#include <algorithm>

#include "syntax/characters.h"

namespace bunraku {
namespace {

bool is_segment(std::string_view segment, uint8_t first) {
  return !segment.empty() && characters::is(segment[0], first) &&
         std::all_of(segment.begin(), segment.end(), [](char c) { return characters::is_word(c); });
}

// Segments joined by ::, of which all but the last begin with `first`.
bool is_qualified(std::string_view name, uint8_t first, uint8_t first_of_last) {
  while (true) {
    size_t separator = name.find("::");
    if (separator == std::string_view::npos) return is_segment(name, first_of_last);
    if (!is_segment(name.substr(0, separator), first)) return false;
    name.remove_prefix(separator + 2);
  }
}

}  // namespace

bool is_variable_name(std::string_view name) {
  if (name.starts_with("::")) name.remove_prefix(2);
  return is_qualified(name, characters::kLower, characters::kLower | characters::kUnderscore);
}

bool is_parameter_name(std::string_view name) {
  return is_segment(name, characters::kLower | characters::kUnderscore);
}

bool is_definition_name(std::string_view name) {
  return is_qualified(name, characters::kLower, characters::kLower);
}

bool is_type_alias_name(std::string_view name) {
  return is_qualified(name, characters::kUpper, characters::kUpper);
}

}  // namespace bunraku
