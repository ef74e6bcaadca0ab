// Facts of nodes in a store, and the location of the store.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "site/settings/settings.h"

namespace bunraku {

// The store in --store, or the SQLite file below vardir.
std::string store_url(const std::string& given, const Settings& settings);

struct StoredNode {
  std::string name;
  std::string facts;  // JSON, an object
};

// The query for the nodes' facts, or for those of all nodes when none is named. It is an AST for
// stores and for servers with PuppetDB's query API; read_stored_nodes() reads the answer.
std::string facts_query(const std::vector<std::string>& nodes);
// Throws DataError for an answer of another form.
std::vector<StoredNode> read_stored_nodes(std::string_view answer);

// Throws StoreError.
std::vector<StoredNode> stored_nodes(const std::string& url, const std::vector<std::string>& nodes);
// The node's facts in the store `given`, or in the SQLite file below vardir if it exists; no value
// when it has none. Throws EvaluationError when the store cannot be queried.
std::optional<std::string> stored_facts(const std::string& given, const Settings& settings,
                                        const std::string& node);

}  // namespace bunraku
