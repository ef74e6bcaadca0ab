// Timestamps: conversion of nanoseconds since 1970-01-01 UTC to text and back, as by Ruby's
// strftime and strptime.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace bunraku {

// 2023-01-31T01:02:03.000000000 UTC, as in an interpolated string.
std::string timestamp_text(int64_t nanoseconds);
// Time#strftime with all directives, flags and widths. `timezone` is empty (UTC), "current", or a
// name or offset that Ruby's %z accepts. Throws EvaluationError for an invalid timezone.
std::string format_timestamp(int64_t nanoseconds, std::string_view format,
                             std::string_view timezone = {});

// Parses with one format. Only one of the text and `timezone` may specify a timezone. Throws
// EvaluationError.
int64_t parse_timestamp(std::string_view text, std::string_view format, std::string_view timezone);
// Parses with the first matching format; an empty list means the default formats.
int64_t parse_timestamp(std::string_view text, std::span<const std::string_view> formats,
                        std::string_view timezone);
int64_t current_timestamp();
// The offset of this machine's time zone at a time, in seconds east of UTC.
int64_t local_offset(int64_t nanoseconds);

}  // namespace bunraku
