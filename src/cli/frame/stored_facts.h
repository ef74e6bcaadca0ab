// Facts of nodes in a store, and where the store is.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "site/settings/settings.h"

namespace bunraku {

// The store that --store names, or the SQLite file below vardir.
std::string store_url(const std::string& given, const Settings& settings);

struct StoredNode {
  std::string name;
  std::string facts;  // JSON, an object
};

// The query, as AST for stores and for servers with PuppetDB's query API, whose answer
// read_stored_nodes() takes: a row for each of the nodes; of all nodes when none is named.
std::string facts_query(const std::vector<std::string>& nodes);
// Throws DataError for an answer of another form.
std::vector<StoredNode> read_stored_nodes(std::string_view answer);

// Throws StoreError.
std::vector<StoredNode> stored_nodes(const std::string& url, const std::vector<std::string>& nodes);
// The node's facts in the store that `given` names, or in the SQLite file below vardir when it is
// there; nothing when it has none. Throws EvaluationError when the store cannot be asked.
std::optional<std::string> stored_facts(const std::string& given, const Settings& settings,
                                        const std::string& node);

}  // namespace bunraku
