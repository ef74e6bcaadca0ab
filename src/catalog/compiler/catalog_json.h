// Conversion of a compilation's catalog into plain data and into the JSON for agents.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "catalog/document/catalog_document.h"

namespace bunraku {

class Compiler;
class StaticMetadata;

struct CatalogJsonOptions {
  std::string version;  // text, or seconds since 1970 when `version_is_time`
  int64_t version_time = 0;
  bool version_is_time = true;
  std::string uuid;
  // The version of the code of which an agent should request files.
  std::optional<std::string> code_id;
  const StaticMetadata* metadata = nullptr;  // of files; null unless the catalog is static
  bool rich_data = true;
  // Includes resources that stayed virtual, with "virtual": true.
  bool include_virtual = false;
  // Keeps references in parameters as types instead of text ("File[/a]"), so that readers can
  // distinguish them from strings.
  bool keeps_references = false;
};

// Returns the catalog after Compiler::finish() as a document that may outlive the compilation.
// Without rich data, a value that must become a string is a warning in the compiler's log or an
// error, by the setting `strict`. Throws EvaluationError, also for values that cannot be
// serialized.
CatalogDocument catalog_document(Compiler& compiler, const CatalogJsonOptions& options);

// Writes the document's JSON. Throws as catalog_document() and the document's write_catalog() do.
void write_catalog(JsonWriter& json, Compiler& compiler, const CatalogJsonOptions& options);

// A random UUID.
std::string make_uuid();

}  // namespace bunraku
