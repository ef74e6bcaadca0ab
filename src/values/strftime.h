// Ruby's Time#strftime.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bunraku {

// Formats the moment `nanoseconds` after 1970-01-01 UTC, in a zone `offset` seconds east of UTC. In
// UTC itself %Z is "UTC", in a zone with only an offset it is empty.
std::string strftime(int64_t nanoseconds, std::string_view format, int64_t offset, bool is_utc);

}  // namespace bunraku
