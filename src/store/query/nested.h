// Parts of answers that have queries of their own.
#pragma once

#include <cstdint>

#include "base/formats/json.h"
#include "store/database/connection.h"
#include "store/query/entities.h"

namespace bunraku::store {

// The facts of a node as one object.
void write_facts_object(JsonWriter& json, Connection& connection, int64_t node);
// {"data": [...], "href": "/pdb/query/v4/..."}; `key` is the node's or the report's number.
void write_nested(JsonWriter& json, Connection& connection, Nested nested, int64_t key);

// The resources and the edges of a catalog as catalogs show them: arrays.
void write_catalog_resources(JsonWriter& json, Connection& connection, int64_t node);
void write_catalog_edges(JsonWriter& json, Connection& connection, int64_t node);

}  // namespace bunraku::store
