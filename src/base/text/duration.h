// Durations in settings and options: "30m", "5y", "90".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bunraku {

struct DurationText {
  std::string_view digits;  // a part of the parsed text
  uint32_t unit;            // in seconds
};

// Parses a number with y, d, h, m or s, or in seconds without a unit; nothing for other text. A
// year has 365 days, as in the reference.
std::optional<DurationText> read_duration(std::string_view text);

// The same in seconds; nothing for more than ten digits, either.
std::optional<int64_t> duration_seconds(std::string_view text);

}  // namespace bunraku
