// Time zones by name or offset, as in %z of Ruby's strptime.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bunraku {

// The seconds east of UTC of "EST", "+09:30", "gmt-3", "Eastern Daylight Time"; nothing for other
// text.
std::optional<int64_t> timezone_offset(std::string_view zone);

// The number of bytes at the start of `text` that have the form of a zone, known or not; 0 when
// none have.
size_t timezone_length(std::string_view text);

}  // namespace bunraku
