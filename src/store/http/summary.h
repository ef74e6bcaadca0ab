// Statistics of a store's data, which show an operator what makes it large.
#pragma once

#include <string>

#include "store/store.h"

namespace bunraku::store {

// A JSON object with PuppetDB's keys: percentiles in steps of 5 from minimum to maximum, counts,
// and PostgreSQL's statistics of its tables. Reads large parts of the store. Throws StoreError.
std::string summary_json(Store& store);

}  // namespace bunraku::store
