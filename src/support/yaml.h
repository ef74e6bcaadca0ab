// Reading YAML as the reference does: libyaml's events, with the rules of Ruby's psych for what a
// plain scalar means (YAML 1.1: `yes` is true, `0755` is octal, `1:30` is 90, `:name` is a symbol).
#pragma once

#include <string_view>

#include "support/data.h"

namespace bunraku {

class Arena;

struct YamlOptions {
  // For messages, "(file): ..."; "<unknown>" when empty.
  std::string_view file;
  // Symbols are refused otherwise ("Tried to load unspecified class: Symbol").
  bool allow_symbols = true;
  // `!ruby/object:...` mappings are read as plain hashes; refused otherwise. For the facts and node
  // files that older agents wrote.
  bool allow_objects = false;
};

// Reads the first document; null for an empty text. What is returned lives in `arena`. Dates, times
// and tagged Ruby objects are refused as psych's safe_load does. Throws DataError, its message in
// psych's wording: "(file): did not find expected key while parsing a block mapping at line 2
// column 1". Nesting, and what aliases expand to, are bounded.
DataNode read_yaml(std::string_view text, const YamlOptions& options, Arena& arena);

}  // namespace bunraku
