// A reader of YAML like the reference's: libyaml's events, with psych's rules for plain scalars
// (YAML 1.1: `yes` is true, `0755` is octal, `1:30` is 90, `:name` is a symbol).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/formats/data.h"

namespace bunraku {

class Arena;

// A key that the mapping already has; the later value is used.
struct RepeatedKey {
  // The key's text in the file.
  struct Place {
    uint32_t line;  // both from 1
    uint32_t column;
    uint32_t length;  // in characters, as the column; 0 when the key ends on another line
  };

  std::string key;  // as written; "..." for a collection
  Place place;
  Place first;  // of the same key in the same mapping
};

struct YamlOptions {
  // For messages, "(file): ..."; "<unknown>" when empty.
  std::string_view file;
  // Otherwise symbols are rejected ("Tried to load unspecified class: Symbol").
  bool allow_symbols = true;
  // Mappings that are objects of this Ruby class are read as plain hashes, all others are rejected.
  std::string_view allowed_class = {};
  // Times and dates are read as text; otherwise they are rejected.
  bool times_as_text = false;
  // `!ruby/regexp /source/` without options is read as a regular expression; all others are
  // rejected.
  bool allow_regexps = false;
  // Receives the repeated keys; may be null. Keys merged by `<<` are not included.
  std::vector<RepeatedKey>* repeated_keys = nullptr;
};

// Reads the first document; null for an empty text. The result is in `arena`. Dates, times and
// tagged Ruby objects are rejected as by psych's safe_load. Throws DataError with a message in
// psych's wording: "(file): did not find expected key while parsing a block mapping at line 2
// column 1". Nesting and the expansion of aliases are limited.
DataNode read_yaml(std::string_view text, const YamlOptions& options, Arena& arena);

}  // namespace bunraku
