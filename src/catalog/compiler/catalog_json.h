// A catalog in the form that agents take.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace bunraku {

class Compiler;
class JsonWriter;
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
};

// Key for key and order for order as the reference writes it. Without rich data, what has to become
// a string is told the compiler's log, or an error, as the setting `strict` says. Throws
// EvaluationError for values that have no form, too.
void write_catalog(JsonWriter& json, Compiler& compiler, const CatalogJsonOptions& options);

// A random UUID.
std::string make_uuid();

}  // namespace bunraku
