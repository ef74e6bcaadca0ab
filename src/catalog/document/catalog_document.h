// A catalog as plain data: what the compiler gives, what agents get as JSON, and what everything
// that reads catalogs takes. No compiler stands behind it.
//
// A CatalogDocument owns all that it names. It is not changed once it is made; several threads may
// read it.
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
  // In the form of rich data: what JSON has no form for is a hash with `__ptype`
  // (serialization/serialization.h turns it into a value).
  DataNode value;
  bool is_sensitive = false;  // its value is never to be shown

  // before, require, notify or subscribe?
  bool is_relationship() const;
};

struct DocumentResource {
  std::string_view reference;  // "File[/etc/motd]"
  std::string_view type;
  std::string_view title;
  std::string_view kind;  // "class", "defined_type", "compilable_type", "unknown"; empty: not known
  std::string_view file;  // empty: not known, or code that comes from no file
  int64_t line = 0;       // 0: not known
  bool is_exported = false;
  bool is_virtual = false;
  bool is_kind_first = false;  // the order of the keys "kind" and "exported"
  std::vector<std::string_view> tags;
  std::vector<DocumentParameter> parameters;  // in the order of the catalog
  std::vector<std::string_view> sensitive;    // "sensitive_parameters"

  const DocumentParameter* find(std::string_view name) const;
  // Adds the parameter, with what `sensitive` and the value say of it.
  void add(std::string_view name, const DataNode& value);
};

// Container and contained, by reference.
struct ContainmentEdge {
  std::string_view source;
  std::string_view target;
};

struct CatalogDocument {
  CatalogDocument() = default;
  // Reads the wire form (also when it is wrapped as `data`). Throws DataError with what is wrong;
  // `file_name` is the file's in messages.
  CatalogDocument(std::string_view text, std::string_view file_name);
  CatalogDocument(CatalogDocument&&) = default;
  CatalogDocument& operator=(CatalogDocument&&) = default;

  Arena arena;  // of all texts and values
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
  // Of a static catalog: what agents have to know of files. Null where there is none.
  DataNode metadata;
  DataNode recursive_metadata;
};

// Key for key and order for order as the reference writes it. Throws DataError for text that is not
// UTF-8.
void write_catalog(JsonWriter& json, const CatalogDocument& catalog);

}  // namespace bunraku
