// Times in the store: microseconds since the epoch, UTC.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bunraku::store {

int64_t now_microseconds();

// Parses ISO 8601 (a date, or date and time with fraction and offset, by default UTC) or a count of
// milliseconds. Returns no value for other text.
std::optional<int64_t> parse_time(std::string_view text);

// "2026-11-22T17:31:21.786Z"; always with three digits, which clients rely on.
std::string time_text(int64_t microseconds);
// "2026-11-22T17:31:21.786+00:00", without a fraction of zero, as in PostgreSQL's JSON.
std::string database_time_text(int64_t microseconds);
// PostgreSQL's to_char for patterns of dates and times (YYYY MM DD HH24 HH12 MI SS MS US ...).
std::string formatted_time(int64_t microseconds, std::string_view pattern);

}  // namespace bunraku::store
