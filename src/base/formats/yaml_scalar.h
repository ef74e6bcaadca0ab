// The meaning of plain YAML scalars, by psych's rules.
#pragma once

#include <string_view>

#include "base/formats/data.h"

namespace bunraku {

class Arena;

// The error for a class that safe loading rejects, such as "Date".
class DisallowedClass : public DataError {
 public:
  explicit DisallowedClass(std::string_view name)
      : DataError("Tried to load unspecified class: " + std::string(name)) {}
};

// Returns null, a boolean, a number, a symbol, or the text itself. The result may point into `text`
// or `arena`. Throws DisallowedClass for dates, times and (unless allowed) symbols, and DataError
// for invalid numbers.
DataNode resolve_plain_scalar(std::string_view text, bool allow_symbols, Arena& arena);

}  // namespace bunraku
