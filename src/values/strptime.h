// Ruby's DateTime._strptime: the parts of a time that a format finds in a text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bunraku {

// The parts that were found; absent ones are nullopt. Parts that do not determine a moment (weeks,
// days of the week or year) are checked and then ignored.
struct TimeParts {
  std::optional<int64_t> year, month, day, hour, minute, second;
  std::optional<int64_t> nanosecond;
  std::string_view zone;  // null data: there was none
};

// Returns nothing when the text does not match the format, or continues after it.
std::optional<TimeParts> strptime(std::string_view text, std::string_view format);

}  // namespace bunraku
