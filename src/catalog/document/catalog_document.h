// A catalog as plain data, independent of the compiler: the compiler's result, the JSON for agents,
// and the input of all programs that read catalogs.
//
//  A CatalogDocument owns all its texts and values. It does not change after it is made; several
//  threads may read it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/formats/data.h"
#include "base/formats/json.h"
#include "base/memory/arena.h"

namespace bunraku {

struct DocumentParameter {
  std::string_view name;
  // In the form of rich data: a value that JSON cannot express is a hash with `__ptype`
  // (serialization/serialization.h turns it into a value).
  DataNode value;
  bool is_sensitive = false;  // its value must not be shown

  // Returns whether the name is before, require, notify or subscribe.
  bool is_relationship() const;
};

struct DocumentResource {
  std::string_view reference;  // "File[/etc/motd]"
  std::string_view type;
  std::string_view title;
  // "class", "defined_type", "compilable_type", "unknown"; empty when not known
  std::string_view kind;
  std::string_view file;  // empty when not known, or when the code is not from a file
  int64_t line = 0;       // 0: not known
  bool is_exported = false;
  bool is_virtual = false;
  bool is_kind_first = false;  // the key "kind" is before "exported" in the JSON
  std::vector<std::string_view> tags;
  std::vector<DocumentParameter> parameters;  // in the catalog's order
  std::vector<std::string_view> sensitive;    // "sensitive_parameters"

  const DocumentParameter* find(std::string_view name) const;
  // Adds the parameter, and marks it as sensitive when `sensitive` or the value says so.
  void add(std::string_view name, const DataNode& value);
};

// An edge from container to contained resource, by reference.
struct ContainmentEdge {
  std::string_view source;
  std::string_view target;
};

struct CatalogDocument {
  CatalogDocument() = default;
  // Reads the wire format (also wrapped as `data`). Throws DataError for invalid text; messages
  // show `file_name`.
  CatalogDocument(std::string_view text, std::string_view file_name);
  CatalogDocument(CatalogDocument&&) = default;
  CatalogDocument& operator=(CatalogDocument&&) = default;

  Arena arena;  // holds all texts and values
  std::string_view name;
  std::string_view environment;
  DataNode version;  // a string or an integer
  std::optional<std::string_view> code_id;
  std::string_view catalog_uuid;
  int64_t catalog_format = 2;
  std::vector<std::string_view> tags;
  std::vector<std::string_view> classes;
  std::vector<DocumentResource> resources;
  std::vector<ContainmentEdge> edges;
  // The metadata of files in a static catalog; null in others.
  DataNode metadata;
  DataNode recursive_metadata;
};

// Writes the catalog with the keys and the order of the reference. Throws DataError for text that
// is not UTF-8.
void write_catalog(JsonWriter& json, const CatalogDocument& catalog);

}  // namespace bunraku
