// Errors of conversions.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostics/diagnostic.h"

namespace bunraku {

// Throws an EvaluationError; the caller of the conversion adds the place.
[[noreturn]] void fail_conversion(Issue issue, std::vector<std::string> arguments);

}  // namespace bunraku
