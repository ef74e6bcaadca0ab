// The explanations of diagnostics for `describe`: the meaning and the correction of an error, with
// code that causes it and code that does not.
#pragma once

#include <string_view>

#include "base/diagnostics/diagnostic.h"

namespace bunraku {

struct Explanation {
  Issue issue;
  std::string_view text;
  std::string_view wrong;
  std::string_view right;
};

// Returns null when there is no explanation; a test requires one for every diagnostic.
const Explanation* explanation(Issue issue);

}  // namespace bunraku
