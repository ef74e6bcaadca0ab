// PQL, the query language that people type, parsed into the tree of the query API (its AST).
#pragma once

#include <string_view>

#include "base/formats/data.h"
#include "base/memory/arena.h"

namespace bunraku::store {

// `nodes[certname] { ... }` as ["from", "nodes", ["extract", ["certname"], ...]]. What is returned
// lives in `arena`. Throws StoreError (kInput) with the place of the mistake and what was expected
// there.
DataNode parse_pql(std::string_view text, Arena& arena);

}  // namespace bunraku::store
