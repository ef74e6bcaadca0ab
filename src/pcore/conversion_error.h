// How conversions tell what went wrong.
#pragma once

#include <string>

namespace bunraku {

// Throws an EvaluationError with this message; the caller of the conversion fills in the place.
[[noreturn]] void fail_conversion(std::string message);

}  // namespace bunraku
