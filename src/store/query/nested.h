// Parts of answers that are computed by separate queries.
#pragma once

#include <cstdint>

#include "base/formats/json.h"
#include "store/database/connection.h"
#include "store/query/entities.h"

namespace bunraku::store {

// Writes the facts of a node as one object.
void write_facts_object(JsonWriter& json, Connection& connection, int64_t node);
// Writes {"data": [...], "href": "/pdb/query/v4/..."}; `key` is the id of the node or report.
void write_nested(JsonWriter& json, Connection& connection, Nested nested, int64_t key);

// Write the resources and edges of a catalog as arrays.
void write_catalog_resources(JsonWriter& json, Connection& connection, int64_t node);
void write_catalog_edges(JsonWriter& json, Connection& connection, int64_t node);

}  // namespace bunraku::store
