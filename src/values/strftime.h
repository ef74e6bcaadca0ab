// Ruby's Time#strftime.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bunraku {

// The moment of `nanoseconds` since 1970-01-01 UTC, in a zone `offset` seconds east of UTC. In UTC
// itself %Z is "UTC", in a zone known by its offset alone it is empty.
std::string strftime(int64_t nanoseconds, std::string_view format, int64_t offset, bool is_utc);

}  // namespace bunraku
