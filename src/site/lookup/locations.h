// Resolves the locations of a hierarchy entry to files and URIs.
#pragma once

#include <optional>
#include <vector>

#include "site/lookup/provider.h"

namespace bunraku {

// Returns no value when the entry has no locations at all. `skip_missing` leaves out paths that do
// not exist.
std::optional<std::vector<ResolvedLocation>> resolve_locations(Invocation& invocation,
                                                               const HierarchyEntry& entry,
                                                               bool skip_missing);

}  // namespace bunraku
