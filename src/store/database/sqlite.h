// The implementation of Connection for SQLite.
#pragma once

#include <memory>
#include <string>

#include "store/database/connection.h"

namespace bunraku::store {

// Opens the file. If it is missing it is created with mode 0640, unless it is opened for reading
// only. Throws StoreError.
std::unique_ptr<Connection> open_sqlite(const std::string& path, const OpenOptions& options);

// Copies the database of an open connection to a new file while others continue to use it. Throws
// StoreError.
void backup_sqlite(Connection& connection, const std::string& to);

}  // namespace bunraku::store
