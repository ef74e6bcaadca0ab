// From the tree of a query to SQL with bound values. The tree is the AST of the query API as plain
// data; PQL is parsed into the same (pql.h).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/formats/data.h"
#include "store/database/connection.h"
#include "store/query/entities.h"

namespace bunraku::store {

struct OrderItem {
  std::string field;
  bool is_descending = false;
};

struct Paging {
  std::optional<int64_t> limit, offset;
  std::vector<OrderItem> order;
};

// A column of the answer.
struct Column {
  std::string name;
  FieldKind kind = FieldKind::kText;
  Nested nested = Nested::kNone;
};

struct CompiledQuery {
  std::string sql;
  std::string count_sql;  // how many rows there are without paging; the same values
  std::vector<SqlValue> values;
  std::vector<Column> columns;
};

// What a query is asked with, beside its own text.
struct QueryContext {
  bool hides_inactive = false;            // unless the query speaks of active nodes itself
  std::vector<std::string> extra_fields;  // of those that are shown on request only
  // ANDed: field and text, as paths of URLs name them.
  std::vector<std::pair<std::string, std::string>> conditions;
  // Of events: the newest of a resource and property between these times (microseconds).
  std::optional<std::pair<int64_t, int64_t>> distinct_times;
};

// Compiles `query` (null: everything) over `entity`. Throws StoreError (kInput) with PuppetDB's
// messages.
CompiledQuery compile_query(const Entity& entity, const DataNode& query, const Paging& paging,
                            const QueryContext& context);

// ["from", "nodes", ...]. Throws StoreError (kInput).
CompiledQuery compile_root_query(const DataNode& query, const Paging& paging);

// Numbers values and keeps them.
class SqlValues {
 public:
  // "$3"
  std::string add(SqlValue value);
  std::vector<SqlValue> take() { return std::move(values_); }

 private:
  std::vector<SqlValue> values_;
};

// A condition of a query over `entity`, for callers that make SQL of their own.
std::string compile_condition(const Entity& entity, const DataNode& query, SqlValues& values);

}  // namespace bunraku::store
