// Look-behinds as Ruby's engine allows them.
#pragma once

#include <string_view>

namespace bunraku {

// Ruby's engine knows how far a look-behind reaches: what it holds must have one length, only its
// outermost alternatives may differ, and back references, atomic groups and look-aheads are not
// allowed in it. Ours knows more. True also for patterns that are wrong otherwise.
bool has_valid_look_behinds(std::string_view pattern);

}  // namespace bunraku
