// Runs queries and writes the results as JSON.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/memory/arena.h"
#include "store/query/compiler.h"
#include "store/store.h"

namespace bunraku::store {

struct AnswerLimits {
  std::chrono::milliseconds timeout{600'000};
  size_t most_bytes = size_t{2} << 30;
};

struct Answer {
  std::string json;              // an array of objects
  std::optional<int64_t> total;  // the number of rows without paging, if requested
};

// Throws StoreError.
Answer answer_query(Store& store, const CompiledQuery& query, bool counts_total = false,
                    const AnswerLimits& limits = {});
// As above, within a transaction of the caller.
Answer answer_query(Connection& connection, const CompiledQuery& query, bool counts_total,
                    const AnswerLimits& limits);

// Compiles PQL, or an AST as JSON (text that begins with a bracket), over all entities. Throws
// StoreError.
CompiledQuery compile_text_query(std::string_view text, const Paging& paging = {});
// Parses the AST of a query from JSON. Throws StoreError (kInput).
DataNode read_ast(std::string_view text, Arena& arena);

}  // namespace bunraku::store
