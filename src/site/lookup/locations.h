// From what a hierarchy entry says about its files to the files.
#pragma once

#include <optional>
#include <vector>

#include "site/lookup/provider.h"

namespace bunraku {

// Nothing when the entry names no location at all. `skip_missing` leaves out paths that do not
// exist.
std::optional<std::vector<ResolvedLocation>> resolve_locations(Invocation& invocation,
                                                               const HierarchyEntry& entry,
                                                               bool skip_missing);

}  // namespace bunraku
