// Tags of resources.
#pragma once

#include <string_view>

namespace bunraku::apply {

// Returns whether the text is a valid tag, by the reference's rule: letters and digits of all
// languages and "_:.-", of which the last three are not the first character.
bool is_tag(std::string_view text);

}  // namespace bunraku::apply
