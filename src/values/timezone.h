// Time zones by name or offset, as Ruby's strptime takes them for %z.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bunraku {

// Seconds east of UTC of "EST", "+09:30", "gmt-3", "Eastern Daylight Time"; nothing when it is
// none.
std::optional<int64_t> timezone_offset(std::string_view zone);

// How many bytes at the start of `text` look like a zone (whether it is known or not); 0 when none
// do.
size_t timezone_length(std::string_view text);

}  // namespace bunraku
