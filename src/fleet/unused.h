// Definitions and files of an environment that no node of a fleet uses.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/document/catalog_document.h"
#include "fleet/read_records.h"
#include "site/environment/environment.h"

namespace bunraku {

struct UnusedThing {
  std::string kind;  // "class", "defined type", "function", "type", "resource type", "template",
                     // "file", "data file", "key"
  std::string name;
  std::string file;
  uint32_t line = 0;  // 0: the whole file
};

// The names that catalogs use.
class UsedThings {
 public:
  void add(const CatalogDocument& catalog);

  // Names are in lower case.
  bool has_class(const std::string& name) const { return classes_.contains(name); }
  bool has_type(const std::string& name) const { return types_.contains(name); }
  // Returns whether agents fetch the file "puppet:///modules/MODULE/PATH", or a directory above it.
  bool has_source(const std::string& module, const std::string& path) const;

 private:
  void add_sources(const DataNode& value);

  std::set<std::string> classes_, types_, sources_;
};

// Searches the environment's own directory: its modules, functions, types and data. `reads` are the
// reads of all compilations. Sorted by kind and name.
std::vector<UnusedThing> find_unused(const Environment& environment, const std::vector<Read>& reads,
                                     const UsedThings& used);

}  // namespace bunraku
