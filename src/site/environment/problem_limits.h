// The numbers of problems reported for one file: the settings max_errors, max_warnings,
// max_deprecations.
#pragma once

#include <cstddef>

namespace bunraku {

struct ProblemLimits {
  size_t errors = 10;
  size_t warnings = 10;
  size_t deprecations = 10;
};

}  // namespace bunraku
