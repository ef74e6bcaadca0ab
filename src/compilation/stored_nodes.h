// A store of nodes for compilations: it answers queries for exported resources, and saves facts and
// catalogs.
#pragma once

#include <memory>
#include <string>

#include "compilation/compilation.h"
#include "functions/core/node_store.h"
#include "store/store.h"

namespace bunraku::compilation {

// Safe from any thread.
class StoredNodes : public NodeStore {
 public:
  // `producer` is the certname of the server that compiles; may be empty.
  StoredNodes(std::shared_ptr<store::Store> store, std::string producer)
      : store_(std::move(store)), producer_(std::move(producer)) {}

  std::vector<ExportedResource> find_exported(std::string_view type, std::string_view own,
                                              const std::string& filter, Arena& arena) override;
  DataNode query(const std::string& text, Arena& arena) override;
  store::Store& store() { return *store_; }
  const std::string& producer() const { return producer_; }

 private:
  std::shared_ptr<store::Store> store_;
  std::string producer_;
};

// Saves the node's facts of the compilation. Must be called before compile(), so that queries of
// manifests see them. `producer` is this server's certname; may be empty. Throws EvaluationError.
void save_facts(store::Store& store, Compilation& compilation, const std::string& producer);
// Saves the catalog with its exported resources, after compile(). Throws EvaluationError, also for
// relationships to resources that are not in the catalog.
void save_catalog(store::Store& store, Compilation& compilation, const std::string& producer);

}  // namespace bunraku::compilation
