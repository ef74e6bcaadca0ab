// The catalog of a compilation as plain data, and in the form that agents take.
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
  // The version of the code that an agent is to ask for files of.
  std::optional<std::string> code_id;
  const StaticMetadata* metadata = nullptr;  // of files; null unless the catalog is static
  bool rich_data = true;
  // Resources that stayed virtual are shown too, marked "virtual": true.
  bool include_virtual = false;
  // References in parameters stay types in place of text ("File[/a]"), so that readers can
  // distinguish them from strings.
  bool keeps_references = false;
};

// The catalog after Compiler::finish(), on its own: the compilation may go. Without rich data, what
// has to become a string is reported to the compiler's log, or is an error, as the setting `strict`
// says. Throws EvaluationError for values that have no form, too.
CatalogDocument catalog_document(Compiler& compiler, const CatalogJsonOptions& options);

// The document's JSON. Throws as catalog_document() and the document's write_catalog() do.
void write_catalog(JsonWriter& json, Compiler& compiler, const CatalogJsonOptions& options);

// A random UUID.
std::string make_uuid();

}  // namespace bunraku
