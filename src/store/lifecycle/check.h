// Consistency checks of a store.
#pragma once

#include <string>
#include <vector>

#include "store/store.h"

namespace bunraku::store {

// Returns the inconsistencies, one a line; empty: none. Throws StoreError when the store cannot be
// read at all.
std::vector<std::string> check_store(Store& store);

}  // namespace bunraku::store
