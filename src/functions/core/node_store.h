// What other nodes have and are, as a compilation asks for it: exported resources, and queries of
// manifests. The compiler knows the store by this interface only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/formats/data.h"
#include "base/memory/arena.h"

namespace bunraku {

// A resource that another node exports. Texts live in the arena of the question.
struct ExportedResource {
  std::string_view certname;
  std::string_view title;
  DataNode parameters;  // a hash
};

class NodeStore {
 public:
  virtual ~NodeStore() = default;

  // Resources of a type ("File") that active nodes other than `own` export, in the order of node
  // and title. `filter` is a query in the form of PuppetDB's AST, as JSON; empty: all. Throws
  // EvaluationError.
  virtual std::vector<ExportedResource> find_exported(std::string_view type, std::string_view own,
                                                      const std::string& filter, Arena& arena) = 0;
  // The rows of a query: PQL, or AST as JSON. Throws EvaluationError.
  virtual DataNode query(const std::string& text, Arena& arena) = 0;

  // That of this thread's compilation; null when it has none.
  static NodeStore* current();
};

// Makes a store that of this thread while it stands; null: there is none.
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
