// SQLite behind Connection.
#pragma once

#include <memory>
#include <string>

#include "store/database/connection.h"

namespace bunraku::store {

// The file is made where it is missing, with mode 0640, unless it is opened for reading only.
// Throws StoreError.
std::unique_ptr<Connection> open_sqlite(const std::string& path, const OpenOptions& options);

// Copies the database of an open connection to a new file while others go on using it. Throws
// StoreError.
void backup_sqlite(Connection& connection, const std::string& to);

}  // namespace bunraku::store
