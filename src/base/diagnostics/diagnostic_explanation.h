// What `describe` shows of a diagnostic beyond its message: what it means and how it is mended,
// with code that brings it about and code that does not.
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

// Null where nothing has been written; a test asks that every diagnostic has one.
const Explanation* explanation(Issue issue);

}  // namespace bunraku
