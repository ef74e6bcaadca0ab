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
// The first entry whose type takes a value gives its format.
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

  // For containers; no data when not given.
  std::string_view separator;
  std::string_view separator2;
  const FormatMap* elements = nullptr;
};

// Throws EvaluationError when the text is no format.
const StringFormat* parse_string_format(Arena& arena, std::string_view text);

// A format map as code has it: types to formats or to hashes that describe a container's.
FormatMap read_format_map(Arena& arena, const HashObject& map);

// The formats of `lower` overridden by those of `higher`, the narrowest types first.
FormatMap merge_format_maps(Arena& arena, FormatMap lower, FormatMap higher);

// What values are formatted by when nothing else is said; in the second, elements of containers.
FormatMap default_formats();
FormatMap default_element_formats();

}  // namespace bunraku
