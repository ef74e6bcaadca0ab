// puppetdb_query, and the current store.
#include <string>

#include "base/formats/json.h"
#include "base/system/reads.h"
#include "functions/core/data_value.h"
#include "functions/core/families.h"
#include "functions/core/node_store.h"
#include "serialization/serialization.h"

namespace bunraku {
namespace {

constinit thread_local NodeStore* current_store = nullptr;

Value puppetdb_query(Call& call) {
  NodeStore* store = NodeStore::current();
  if (store == nullptr) {
    call.fail(Issue::kUnusableValue, {"puppetdb_query needs a store (--store URL)"});
  }
  if (ReadObserver* observer = ReadObserver::current()) {
    observer->untracked("puppetdb_query asks the store");
  }
  std::string text;
  if (call.arguments[0].is_string()) {
    text = call.arguments[0].as_string();
  } else {
    JsonWriter json(text);
    write_rich_data(json, call.arguments[0], false, TypeForm::kText);
  }
  return data_value(call, store->query(text, call.arena()));
}

constexpr Overload kQuery[] = {{"(String $query)", puppetdb_query},
                               {"(Array[Data] $query)", puppetdb_query}};

constexpr NativeFunctionInfo kStoreFunctions[] = {
    {"puppetdb_query", kQuery,
     "Asks the store about nodes, facts, resources and reports: a query in PQL, or PuppetDB's AST "
     "as an array. The result is an array of hashes.",
     "puppetdb_query('nodes[certname] { }')"},
};

}  // namespace

NodeStore* NodeStore::current() {
  return current_store;
}

NodeStoreScope::NodeStoreScope(NodeStore* store) : outer_(current_store) {
  current_store = store;
}
NodeStoreScope::~NodeStoreScope() {
  current_store = outer_;
}

std::span<const NativeFunctionInfo> store_functions() {
  return kStoreFunctions;
}

}  // namespace bunraku
