// The syntax of names.
#pragma once

#include <string_view>

namespace bunraku {

// (::)?([a-z]\w*::)*[a-z_]\w*
bool is_variable_name(std::string_view name);
// [a-z]\w*(::[a-z]\w*)*
bool is_definition_name(std::string_view name);
// [A-Z]\w*(::[A-Z]\w*)*
bool is_type_alias_name(std::string_view name);

}  // namespace bunraku
