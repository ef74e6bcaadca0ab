// What can be asked for: entities with their fields, as the query API names them, and how they are
// found in the database.
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
  kArray,       // JSON, of strings
  kPath,        // JSON, of names and indexes
  kValue,       // JSON: scalars are compared
  kFacts,       // all facts of a node; asked by dotted names
  kTrusted,     // the fact `trusted`; asked by dotted names
  kParameters,  // of a resource; asked by dotted names
  kJson,        // shown, never asked
  kNested       // made by queries of its own (see Nested)
};

// Parts of a row that have queries of their own; the field's SQL is the key.
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
  std::string_view where;  // always holds; empty: nothing
  std::string_view key;    // orders rows that are asked for in pages
  std::vector<Field> fields;
  bool has_node = true;  // there is a node `n`, which may be inactive

  const Field* find(std::string_view name) const;
};

// By the names of PQL and of select_ subqueries; null when there is none.
const Entity* find_entity(std::string_view name);

// The columns by which an entity's rows belong to another's: (of the outer, of the inner). Nothing
// when they do not.
using JoinColumns = std::vector<std::pair<std::string_view, std::string_view>>;
std::optional<JoinColumns> implicit_join(const Entity& outer, const Entity& inner);

// SQL for "the node is active".
inline constexpr std::string_view kIsActive = "(n.deactivated IS NULL AND n.expired IS NULL)";

}  // namespace bunraku::store
