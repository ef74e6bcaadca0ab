// The restrictions of look-behinds in Ruby's engine.
#pragma once

#include <string_view>

namespace bunraku {

// Ruby's engine must know the length of a look-behind: its contents must have one length, only its
// outermost alternatives may differ, and back references, atomic groups and look-aheads are not
// allowed in it. This program's engine is less strict. Returns true also for patterns that are
// invalid for other reasons.
bool has_valid_look_behinds(std::string_view pattern);

}  // namespace bunraku
