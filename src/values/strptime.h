// Ruby's DateTime._strptime: what a format finds in a text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bunraku {

// What was found; absent parts are nullopt. Parts that make no moment of their own (weeks, days of
// the week or year) are checked and then left out.
struct TimeParts {
  std::optional<int64_t> year, month, day, hour, minute, second;
  std::optional<int64_t> nanosecond;
  std::string_view zone;  // no data: there was none
};

// Nothing when the text does not agree with the format, or goes on behind it.
std::optional<TimeParts> strptime(std::string_view text, std::string_view format);

}  // namespace bunraku
