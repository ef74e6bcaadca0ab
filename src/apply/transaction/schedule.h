// When a resource may be applied.
#pragma once

#include <cstdint>

namespace bunraku::apply {

class Resource;

// `previous`: when the resource was last looked at; 0 when never. Seconds since the epoch.
bool matches_schedule(const Resource& schedule, int64_t previous, int64_t now);

}  // namespace bunraku::apply
