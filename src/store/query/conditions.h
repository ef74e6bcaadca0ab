// Conditions of queries as SQL: fields, operators, subqueries.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "store/query/compiler.h"
#include "store/query/fields.h"

namespace bunraku::store {

[[noreturn]] void refuse_query(std::string message);

// A field of a query, found in its entity.
struct Operand {
  std::string name;
  FieldKind kind = FieldKind::kText;
  std::string sql;
  Nested nested = Nested::kNone;
  // Of dotted fields: what `=` asks containment of, and the steps below it that are names.
  std::string container;
  std::vector<std::string> steps;
  bool is_dotted = false;
  bool has_index = false;  // compared itself, not asked what it contains
  // A dotted name with match("..."): any leaf whose path matches. SQL around a condition on `sql`.
  std::string leaf_begin, leaf_end;
  bool is_exact = false;  // ["parameter", name]: compared as JSON text
};

class ConditionCompiler {
 public:
  explicit ConditionCompiler(SqlValues& values) : values_(values) {}

  // SQL of a condition; never empty.
  std::string condition(const Entity& entity, const DataNode& node);
  // A name, dotted or not; nothing when the entity has no such field, or none that can be shown. A
  // dotted field's value is only bound where it is needed: PostgreSQL refuses values that no place
  // uses.
  enum class Use : uint8_t { kValue, kContainer, kShown };
  std::optional<Operand> find_field(const Entity& entity, std::string_view name,
                                    Use use = Use::kValue);
  // "SELECT ..." of a subquery: ["from", ...] or ["extract", ..., ["select_x", ...]].
  struct Subquery {
    std::string sql;
    std::vector<Operand> columns;
  };
  // With `most` columns: those beyond are left out.
  Subquery subquery(const DataNode& node, size_t most);
  // SELECT of these fields over the entity with a filter.
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
  std::map<std::string, std::string> dotted_;  // SQL of dotted fields, so that each is one text
};

// Does a filter itself say whether nodes are active, or of which type reports are? Subqueries are
// not looked at.
bool speaks_of_activity(const DataNode& query);
bool speaks_of_field(const DataNode& query, std::string_view field);
// Of events: the newest of its resource and property between two times (microseconds).
std::string distinct_resources_condition(int64_t start, int64_t end, SqlValues& values);

}  // namespace bunraku::store
