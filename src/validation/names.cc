#include "validation/names.h"

#include "syntax/characters.h"

namespace bunraku {
namespace {

// Matches segments joined by ::, of which all but the last begin with `first`.
bool is_qualified(std::string_view name, uint8_t first, uint8_t first_of_last) {
  const size_t size = name.size();
  size_t at = 0;
  while (true) {
    const size_t begin = at;
    while (at < size && characters::is_word(name[at])) ++at;
    if (at == begin) return false;
    if (at == size) return characters::is(name[begin], first_of_last);
    const bool goes_on = name.substr(at, 2) == "::" && characters::is(name[begin], first);
    if (!goes_on) return false;
    at += 2;
  }
}

}  // namespace

bool is_variable_name(std::string_view name) {
  if (name.starts_with("::")) name.remove_prefix(2);
  return is_qualified(name, characters::kLower, characters::kLower | characters::kUnderscore);
}

bool is_definition_name(std::string_view name) {
  return is_qualified(name, characters::kLower, characters::kLower);
}

bool is_type_alias_name(std::string_view name) {
  return is_qualified(name, characters::kUpper, characters::kUpper);
}

}  // namespace bunraku
