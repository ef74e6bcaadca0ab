// The functions of the store's SQL for PostgreSQL (see database/sqlite_functions.h).
#pragma once

#include <string_view>

namespace bunraku::store {

// Statements that create or replace the functions.
std::string_view postgres_functions();

}  // namespace bunraku::store
