// Numbers about the data of a store, by which an operator finds what makes it large.
#pragma once

#include <string>

#include "store/store.h"

namespace bunraku::store {

// An object with PuppetDB's keys: percentiles in steps of 5 from the least to the most, counts, and
// what PostgreSQL counts of its tables. Reads large parts of the store. Throws StoreError.
std::string summary_json(Store& store);

}  // namespace bunraku::store
