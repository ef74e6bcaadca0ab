// Warnings of functions.
#pragma once

#include <string>
#include <string_view>

#include "evaluation/function.h"

namespace bunraku {

void warn(const Call& call, std::string message);

// Warns as `warning` of the older interface does, with the scope as the source.
void warn_in_scope(const Call& call, std::string message);

// Warns of a deprecation, once for each `key` in a compilation or, without a key, once for each
// place. With `with_place` the message includes the place of the call.
void warn_deprecated(const Call& call, std::string_view key, const std::string& message,
                     bool with_place = false);

// The place of a call: "(file: F, line: N)".
std::string call_place_text(const Call& call);

}  // namespace bunraku
