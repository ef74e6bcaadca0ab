// Durations as settings and options have them: "30m", "5y", "90".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bunraku {

struct DurationText {
  std::string_view digits;  // of the text that was read
  uint32_t unit;            // in seconds
};

// A number with y, d, h, m or s, or of seconds without; nothing for any other text. A year has 365
// days, as in the reference.
std::optional<DurationText> read_duration(std::string_view text);

// The same in seconds; nothing for more than ten digits, either.
std::optional<int64_t> duration_seconds(std::string_view text);

}  // namespace bunraku
