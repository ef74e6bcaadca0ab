// The entities that can be queried, with their fields as the query API names them, and their SQL.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bunraku::store {

enum class FieldKind : uint8_t {
  kText,
  kTime,
  kBoolean,
  kNumber,
  kArray,       // a JSON array of strings
  kPath,        // a JSON array of names and indexes
  kValue,       // JSON, of which scalars are compared
  kFacts,       // all facts of a node; queried by dotted names
  kTrusted,     // the fact `trusted`; queried by dotted names
  kParameters,  // the parameters of a resource; queried by dotted names
  kJson,        // can be shown but not queried
  kNested       // computed by separate queries (see Nested)
};

// Parts of a row with queries of their own; the field's SQL is the key.
enum class Nested : uint8_t {
  kNone,
  kFactsetFacts,
  kCatalogResources,
  kCatalogEdges,
  kCatalogInputs,
  kReportEvents,
  kReportLogs,
  kReportMetrics,
  kPackageInventory
};

struct Field {
  std::string_view name;
  FieldKind kind;
  std::string_view sql;
  bool is_query_only = false;
  Nested nested = Nested::kNone;
};

struct Entity {
  std::string_view name;  // "fact_contents"
  std::string_view from;
  std::string_view where;  // a condition on all rows; empty: none
  std::string_view key;    // the order of rows for paging
  std::vector<Field> fields;
  bool has_node = true;  // the entity has a node `n`, which may be inactive

  const Field* find(std::string_view name) const;
};

// Finds an entity by its name in PQL and in select_ subqueries; returns null when there is none.
const Entity* find_entity(std::string_view name);

// The columns that join an entity's rows to another's: (outer, inner). No value when they cannot be
// joined.
using JoinColumns = std::vector<std::pair<std::string_view, std::string_view>>;
std::optional<JoinColumns> implicit_join(const Entity& outer, const Entity& inner);

// The SQL condition that the node is active.
inline constexpr std::string_view kIsActive = "(n.deactivated IS NULL AND n.expired IS NULL)";

}  // namespace bunraku::store
