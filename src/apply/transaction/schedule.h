// The times at which a resource may be applied.
#pragma once

#include <cstdint>

namespace bunraku::apply {

class Resource;

// Returns whether the schedule allows the resource now. `previous` is when it was last checked; 0:
// never. Seconds since the epoch.
bool matches_schedule(const Resource& schedule, int64_t previous, int64_t now);

}  // namespace bunraku::apply
