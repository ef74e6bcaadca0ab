// Is a store whole?
#pragma once

#include <string>
#include <vector>

#include "store/store.h"

namespace bunraku::store {

// What is wrong, a line each; empty: nothing. Throws StoreError when it cannot be read at all.
std::vector<std::string> check_store(Store& store);

}  // namespace bunraku::store
