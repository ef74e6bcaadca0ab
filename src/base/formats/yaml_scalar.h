// What a plain YAML scalar means, by psych's rules.
#pragma once

#include <string_view>

#include "base/formats/data.h"

namespace bunraku {

class Arena;

// A class that safe loading refuses, "Date".
class DisallowedClass : public DataError {
 public:
  explicit DisallowedClass(std::string_view name)
      : DataError("Tried to load unspecified class: " + std::string(name)) {}
};

// Nothing, a boolean, a number, a symbol, or the text itself. What is returned may point into
// `text` or `arena`. Throws DisallowedClass for dates, times and (unless allowed) symbols,
// DataError for what looks like a number and is none.
DataNode resolve_plain_scalar(std::string_view text, bool allow_symbols, Arena& arena);

}  // namespace bunraku
