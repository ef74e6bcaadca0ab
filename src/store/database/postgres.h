// The implementation of Connection for PostgreSQL.
#pragma once

#include <memory>
#include <string>

#include "store/database/connection.h"

namespace bunraku::store {

// Throws StoreError.
std::unique_ptr<Connection> open_postgres(const std::string& url, const OpenOptions& options);

}  // namespace bunraku::store
