// Format specifications of String.new: %<flags><width>.<precision><letter>, and maps from types to
// them.
#pragma once

#include <span>
#include <string_view>

#include "values/type.h"

namespace bunraku {

struct StringFormat;

struct TypeFormat {
  const Type* type;
  const StringFormat* format;
};
// The first entry whose type accepts a value determines the format.
using FormatMap = std::span<const TypeFormat>;

struct StringFormat {
  enum class Sign : uint8_t { kIgnore, kSpace, kPlus };

  std::string_view text;  // as written
  char letter;
  bool left = false;
  bool alternative = false;  // #
  bool zero_padded = false;
  Sign sign = Sign::kIgnore;
  char delimiter = 0;  // one of [ { ( < |
  int width = -1;
  int precision = -1;

  // For containers; null data when not given.
  std::string_view separator;
  std::string_view separator2;
  const FormatMap* elements = nullptr;
};

// Throws EvaluationError when the text is not a valid format.
const StringFormat* parse_string_format(Arena& arena, std::string_view text);

// Reads a format map of the language: from types to formats or to hashes that describe a
// container's format.
FormatMap read_format_map(Arena& arena, const HashObject& map);

// Merges the formats of `lower` with the overriding ones of `higher`, the narrowest types first.
FormatMap merge_format_maps(Arena& arena, FormatMap lower, FormatMap higher);

// The default formats of values and, in the second, of elements of containers.
FormatMap default_formats();
FormatMap default_element_formats();

}  // namespace bunraku
