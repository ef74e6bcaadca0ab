// Warnings of functions.
#pragma once

#include <string>
#include <string_view>

#include "evaluation/function.h"

namespace bunraku {

void warn(const Call& call, std::string message);

// The same as the older interface's `warning`: in the name of the scope.
void warn_in_scope(const Call& call, std::string message);

// A deprecation: shown once for each `key` in a compilation; without a key, once for each place.
// With `with_place` the message has the place of the call.
void warn_deprecated(const Call& call, std::string_view key, const std::string& message,
                     bool with_place = false);

// "(file: F, line: N)" of a call.
std::string call_place_text(const Call& call);

}  // namespace bunraku
