// The schema as numbered migrations from an empty database to the newest version.
#pragma once

#include <cstdint>

#include "store/database/connection.h"

namespace bunraku::store {

// The newest version that this program knows.
int64_t newest_schema();
// The version of the database; 0 when it is empty. Throws StoreError.
int64_t schema_version(Connection& connection);
// Migrates the database to version `to` (0: the newest) in one transaction, while other processes
// wait. Returns the number of steps. Throws StoreError; kInput when the database is newer than this
// program.
int64_t migrate(Connection& connection, int64_t to = 0);

}  // namespace bunraku::store
