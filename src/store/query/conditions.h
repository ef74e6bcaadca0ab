// Compiles conditions of queries to SQL: fields, operators, subqueries.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "store/query/compiler.h"
#include "store/query/fields.h"

namespace bunraku::store {

[[noreturn]] void refuse_query(std::string message);

// A field in a query, resolved in its entity.
struct Operand {
  std::string name;
  FieldKind kind = FieldKind::kText;
  std::string sql;
  Nested nested = Nested::kNone;
  // For dotted fields: the container that `=` tests for containment, and the names of the steps
  // below it.
  std::string container;
  std::vector<std::string> steps;
  bool is_dotted = false;
  bool has_index = false;  // compared by value instead of containment
  // For a dotted name with match("..."): any leaf whose path matches. The SQL around a condition on
  // `sql`.
  std::string leaf_begin, leaf_end;
  bool is_exact = false;  // ["parameter", name]: compared as JSON text
};

class ConditionCompiler {
 public:
  explicit ConditionCompiler(SqlValues& values) : values_(values) {}

  // Compiles a condition to SQL, which is never empty.
  std::string condition(const Entity& entity, const DataNode& node);
  // Finds a field by its name, dotted or not. Returns no value when the entity has no such field,
  // or none that can be shown. A dotted field's value is bound only where it is used, because
  // PostgreSQL refuses unused values.
  enum class Use : uint8_t { kValue, kContainer, kShown };
  std::optional<Operand> find_field(const Entity& entity, std::string_view name,
                                    Use use = Use::kValue);
  // The SELECT of a subquery: ["from", ...] or ["extract", ..., ["select_x", ...]].
  struct Subquery {
    std::string sql;
    std::vector<Operand> columns;
  };
  // Compiles a subquery; columns beyond `most` are left out.
  Subquery subquery(const DataNode& node, size_t most);
  // Compiles a SELECT of these fields over the entity with a filter.
  Subquery select(const Entity& entity, const std::vector<std::string>& fields,
                  const DataNode* filter, const std::vector<const DataNode*>& paging);
  SqlValues& values() { return values_; }

 private:
  std::string chain(const Entity& entity, const DataNode& node, std::string_view word);
  std::string equality(const Entity& entity, const DataNode& node);
  std::string equality_of(const Operand& operand, const DataNode& value);
  std::string order(const Entity& entity, const DataNode& node);
  std::string match(const Entity& entity, const DataNode& node);
  std::string path_match(const Entity& entity, const DataNode& node);
  std::string null_test(const Entity& entity, const DataNode& node);
  std::string null_test_of(const Operand& operand, bool is_null);
  std::string membership(const Entity& entity, const DataNode& node);
  std::string membership_in_array(const std::vector<Operand>& operands, const DataNode& items);
  std::string implicit_subquery(const Entity& entity, const DataNode& node);
  std::string fact_of_node(std::string_view name, const DataNode& node);
  std::string facts_contain(const Entity& entity, const DataNode& facts);
  std::string node_state(const DataNode& value);
  std::string number_comparison(const Operand& operand, std::string_view op, const DataNode& value);
  std::optional<Operand> matched_field(std::string_view name, const DottedName& dotted);
  Operand field(const Entity& entity, const DataNode& node, Use use = Use::kValue);
  std::optional<Operand> dotted_field(const Entity& entity, std::string_view name, Use use);

  SqlValues& values_;
  std::map<std::string, std::string> dotted_;  // SQL of dotted fields, so that each has one text
};

// Returns whether a filter itself has a condition on the activity of nodes, or on the type of
// reports. Subqueries are ignored.
bool speaks_of_activity(const DataNode& query);
bool speaks_of_field(const DataNode& query, std::string_view field);
// The condition that an event is the newest of its resource and property between two times
// (microseconds).
std::string distinct_resources_condition(int64_t start, int64_t end, SqlValues& values);

}  // namespace bunraku::store
