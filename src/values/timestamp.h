// Timestamps: nanoseconds since 1970-01-01 UTC as text and back, as Ruby's strftime and strptime.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace bunraku {

// 2023-01-31T01:02:03.000000000 UTC, as in an interpolated string.
std::string timestamp_text(int64_t nanoseconds);
// Time#strftime with all directives, flags and widths. `timezone` is empty (UTC), "current", a name
// or offset that Ruby's %z takes. Throws EvaluationError for a timezone that is none.
std::string format_timestamp(int64_t nanoseconds, std::string_view format,
                             std::string_view timezone = {});

// By one format. A timezone in the text and one given exclude each other. Throws EvaluationError.
int64_t parse_timestamp(std::string_view text, std::string_view format, std::string_view timezone);
// By the first of the formats that fits; an empty list stands for the default formats.
int64_t parse_timestamp(std::string_view text, std::span<const std::string_view> formats,
                        std::string_view timezone);
int64_t current_timestamp();

}  // namespace bunraku
