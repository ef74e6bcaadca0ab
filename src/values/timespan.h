// Timespans: nanoseconds as text and back.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace bunraku {

constexpr int64_t kNanosecondsPerSecond = 1'000'000'000;

// D-HH:MM:SS.N, as in an interpolated string.
std::string timespan_text(int64_t nanoseconds);
// By a format of %D %H %M %S %L %N with flags (- _ 0) and widths. Throws EvaluationError for a
// format that is wrong.
std::string format_timespan(int64_t nanoseconds, std::string_view format);
// By the first of the formats that fits; throws EvaluationError when none does.
int64_t parse_timespan(std::string_view text, std::span<const std::string_view> formats);
// By the formats that Timespan.new has by default.
int64_t parse_timespan(std::string_view text);
// By this one format: its message is another.
int64_t parse_timespan(std::string_view text, std::string_view format);

}  // namespace bunraku
