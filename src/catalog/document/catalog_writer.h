// The parts of a catalog's JSON, for callers that have one resource at a time. write_catalog()
// (catalog_document.h) writes a whole document.
#pragma once

#include "base/formats/json.h"
#include "catalog/document/catalog_document.h"

namespace bunraku {

// Writes the members before the resources. A write_resource() for each resource follows.
void begin_catalog(JsonWriter& json, const CatalogDocument& catalog);
// Throws DataError for text that is not UTF-8.
void write_resource(JsonWriter& json, const DocumentResource& resource);
// Writes the members after the resources: edges, classes and metadata.
void end_catalog(JsonWriter& json, const CatalogDocument& catalog);

}  // namespace bunraku
