// Compiles the tree of a query to SQL with bound values. The tree is the query API's AST as plain
// data; PQL is parsed into the same form (pql.h).
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
  std::string count_sql;  // counts the rows without paging; uses the same values
  std::vector<SqlValue> values;
  std::vector<Column> columns;
};

// Parameters of a query besides its own text.
struct QueryContext {
  bool hides_inactive = false;            // unless the query itself has a condition on active nodes
  std::vector<std::string> extra_fields;  // fields that are shown only on request
  // Conditions from paths of URLs, combined by AND: field and text.
  std::vector<std::pair<std::string, std::string>> conditions;
  // For events: only the newest of a resource and property between these times (microseconds).
  std::optional<std::pair<int64_t, int64_t>> distinct_times;
};

// Compiles `query` (null: all rows) over `entity`. Throws StoreError (kInput) with PuppetDB's
// messages.
CompiledQuery compile_query(const Entity& entity, const DataNode& query, const Paging& paging,
                            const QueryContext& context);

// Compiles ["from", "nodes", ...]. Throws StoreError (kInput).
CompiledQuery compile_root_query(const DataNode& query, const Paging& paging);

// Collects the bound values and numbers them.
class SqlValues {
 public:
  // Adds a value and returns its place: "$3".
  std::string add(SqlValue value);
  std::vector<SqlValue> take() { return std::move(values_); }

 private:
  std::vector<SqlValue> values_;
};

// Compiles a condition over `entity`, for callers that build SQL themselves.
std::string compile_condition(const Entity& entity, const DataNode& query, SqlValues& values);

}  // namespace bunraku::store
