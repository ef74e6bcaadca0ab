// Warnings of functions.
#pragma once

#include <string>
#include <string_view>

#include "evaluation/function.h"

namespace bunraku {

// The value of a deprecation: shown once for each `key` in a compilation. With `with_place` the
// message carries the place of the call, else none.
void warn_deprecated(const Call& call, std::string_view key, std::string message,
                     bool with_place = false);
void warn(const Call& call, std::string message);

}  // namespace bunraku
