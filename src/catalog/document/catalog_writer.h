// The parts of a catalog's JSON, for callers that have one resource at a time. write_catalog()
// (catalog_document.h) writes a whole document.
#pragma once

#include "base/formats/json.h"
#include "catalog/document/catalog_document.h"

namespace bunraku {

// What stands before the resources. Each of them follows by write_resource().
void begin_catalog(JsonWriter& json, const CatalogDocument& catalog);
// Throws DataError for text that is not UTF-8.
void write_resource(JsonWriter& json, const DocumentResource& resource);
// What stands after the resources: edges, classes and metadata.
void end_catalog(JsonWriter& json, const CatalogDocument& catalog);

}  // namespace bunraku
