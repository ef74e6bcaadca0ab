// How conversions report what went wrong.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostics/diagnostic.h"

namespace bunraku {

// Throws an EvaluationError; the caller of the conversion fills in the place.
[[noreturn]] void fail_conversion(Issue issue, std::vector<std::string> arguments);

}  // namespace bunraku
