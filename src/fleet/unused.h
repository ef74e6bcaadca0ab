// What an environment holds that no node of a fleet reaches.
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
  uint32_t line = 0;  // 0: the file as a whole
};

// What catalogs show to be in use.
class UsedThings {
 public:
  void add(const CatalogDocument& catalog);

  // Lower-case names.
  bool has_class(const std::string& name) const { return classes_.contains(name); }
  bool has_type(const std::string& name) const { return types_.contains(name); }
  // A file that an agent fetches: "puppet:///modules/MODULE/PATH", or a directory above it.
  bool has_source(const std::string& module, const std::string& path) const;

 private:
  void add_sources(const DataNode& value);

  std::set<std::string> classes_, types_, sources_;
};

// Looks through the environment's own directory: its modules, functions, types and data. `reads` is
// what all compilations together have read. Sorted by kind and name.
std::vector<UnusedThing> find_unused(const Environment& environment, const std::vector<Read>& reads,
                                     const UsedThings& used);

}  // namespace bunraku
