// The schema, as numbered steps from an empty database to the newest.
#pragma once

#include <cstdint>

#include "store/database/connection.h"

namespace bunraku::store {

// The newest version that this program knows.
int64_t newest_schema();
// The database's; 0 when it is empty. Throws StoreError.
int64_t schema_version(Connection& connection);
// Brings the database to version `to`, the newest where it is 0, in one transaction, while other
// processes wait. Returns how many steps were taken. Throws StoreError; kInput when the database is
// newer than this program.
int64_t migrate(Connection& connection, int64_t to = 0);

}  // namespace bunraku::store
