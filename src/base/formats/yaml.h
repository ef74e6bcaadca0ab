// Reading YAML as the reference does: libyaml's events, with the rules of Ruby's psych for what a
// plain scalar means (YAML 1.1: `yes` is true, `0755` is octal, `1:30` is 90, `:name` is a symbol).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/formats/data.h"

namespace bunraku {

class Arena;

// A key that a mapping has already; the later value counts.
struct RepeatedKey {
  // The key's text in the file.
  struct Place {
    uint32_t line;  // both from 1
    uint32_t column;
    uint32_t length;  // in characters, as the column; 0 where the key ends on another line
  };

  std::string key;  // as it is written; "..." of a collection
  Place place;
  Place first;  // of the same key in the same mapping
};

struct YamlOptions {
  // For messages, "(file): ..."; "<unknown>" when empty.
  std::string_view file;
  // Symbols are refused otherwise ("Tried to load unspecified class: Symbol").
  bool allow_symbols = true;
  // Mappings that are objects of this class of Ruby are read as plain hashes, all others refused.
  std::string_view allowed_class = {};
  // Times and dates are read as the text that they are; refused otherwise.
  bool times_as_text = false;
  // `!ruby/regexp /source/` without options is read as a regular expression; all others are
  // refused.
  bool allow_regexps = false;
  // Receives the repeated keys; may be null. Keys that `<<` merges are none.
  std::vector<RepeatedKey>* repeated_keys = nullptr;
};

// Reads the first document; null for an empty text. What is returned lives in `arena`. Dates, times
// and tagged Ruby objects are refused as psych's safe_load does. Throws DataError, its message in
// psych's wording: "(file): did not find expected key while parsing a block mapping at line 2
// column 1". Nesting, and what aliases expand to, are bounded.
DataNode read_yaml(std::string_view text, const YamlOptions& options, Arena& arena);

}  // namespace bunraku
