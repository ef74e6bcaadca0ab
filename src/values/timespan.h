// Timespans: conversion of nanoseconds to text and back.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace bunraku {

constexpr int64_t kNanosecondsPerSecond = 1'000'000'000;

// D-HH:MM:SS.N, as in an interpolated string.
std::string timespan_text(int64_t nanoseconds);
// Formats with %D %H %M %S %L %N with flags (- _ 0) and widths. Throws EvaluationError for an
// invalid format.
std::string format_timespan(int64_t nanoseconds, std::string_view format);
// Parses with the first matching format; throws EvaluationError when none matches.
int64_t parse_timespan(std::string_view text, std::span<const std::string_view> formats);
// Parses with the default formats of Timespan.new.
int64_t parse_timespan(std::string_view text);
// Parses with one format; its error message differs.
int64_t parse_timespan(std::string_view text, std::string_view format);

}  // namespace bunraku
