// Data of other nodes that a compilation requests: exported resources, and the results of
// manifests' queries. The compiler uses the store through this interface only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/formats/data.h"
#include "base/memory/arena.h"

namespace bunraku {

// A resource that another node exports. Its texts live in the arena of the query.
struct ExportedResource {
  std::string_view certname;
  std::string_view title;
  DataNode parameters;  // a hash
};

class NodeStore {
 public:
  virtual ~NodeStore() = default;

  // Returns the resources of a type ("File") that active nodes other than `own` export, sorted by
  // node and title. `filter` is a query in PuppetDB's AST form, as JSON; empty: all. Throws
  // EvaluationError.
  virtual std::vector<ExportedResource> find_exported(std::string_view type, std::string_view own,
                                                      const std::string& filter, Arena& arena) = 0;
  // Returns the rows of a query: PQL, or AST as JSON. Throws EvaluationError.
  virtual DataNode query(const std::string& text, Arena& arena) = 0;

  // The store of the compilation in this thread; null when it has none.
  static NodeStore* current();
};

// Makes a store the current one of this thread during its lifetime; null: no store.
class NodeStoreScope {
 public:
  explicit NodeStoreScope(NodeStore* store);
  ~NodeStoreScope();
  NodeStoreScope(const NodeStoreScope&) = delete;
  NodeStoreScope& operator=(const NodeStoreScope&) = delete;

 private:
  NodeStore* outer_;
};

}  // namespace bunraku
