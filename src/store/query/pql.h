// The parser of PQL, the query language for people; it produces the query API's AST.
#pragma once

#include <string_view>

#include "base/formats/data.h"
#include "base/memory/arena.h"

namespace bunraku::store {

// Parses `nodes[certname] { ... }` to ["from", "nodes", ["extract", ["certname"], ...]]. The result
// lives in `arena`. Throws StoreError (kInput) with the place of the mistake and the expected
// tokens.
DataNode parse_pql(std::string_view text, Arena& arena);

}  // namespace bunraku::store
