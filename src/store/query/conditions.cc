// Compiles operators.
#include "store/query/conditions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/formats/json.h"
#include "base/text/utf8.h"
#include "store/query/fields.h"
#include "store/time_text.h"

namespace bunraku::store {
namespace {

// SQLite binds at most 32766 values.
constexpr size_t kMostItems = 30'000;

std::string_view operator_of(const DataNode& node) {
  if (!node.is(DataKind::kArray) || node.items().empty()) {
    refuse_query(fmt::format("{} is not well-formed: queries must contain at least one operator",
                             ast_text(node)));
  }
  if (!node.items()[0].is(DataKind::kString)) {
    refuse_query(fmt::format("{} is not well-formed: queries must contain at least one operator",
                             ast_text(node)));
  }
  return node.items()[0].text_value();
}

void need_arguments(const DataNode& node, size_t count, std::string_view words) {
  if (node.items().size() != count + 1) {
    refuse_query(fmt::format("{} requires exactly {} arguments", operator_of(node), words));
  }
}

SqlValue number_value(const DataNode& value, const Operand& operand) {
  if (value.is(DataKind::kInteger)) return value.integer_value();
  if (value.is(DataKind::kFloat)) {
    const double number = value.float_value();
    // Whole numbers are compared as integers.
    constexpr double kLargest = 9e18;
    if (number == std::floor(number) && std::abs(number) < kLargest) {
      return static_cast<int64_t>(number);
    }
    return number;
  }
  refuse_query(fmt::format("Argument \"{}\" is incompatible with numeric field \"{}\".",
                           plain_text(value), operand.name));
}

int64_t time_value(const DataNode& value) {
  std::optional<int64_t> time;
  if (value.is(DataKind::kInteger)) time = value.integer_value() * 1000;
  if (value.is(DataKind::kString)) time = parse_time(value.text_value());
  if (!time) {
    refuse_query(fmt::format("'{}' is not a valid timestamp value", plain_text(value)));
  }
  return *time;
}

std::string text_value(const DataNode& value, const Operand& operand) {
  if (!value.is(DataKind::kString)) {
    refuse_query(fmt::format("Argument \"{}\" is incompatible with text field \"{}\".",
                             plain_text(value), operand.name));
  }
  return std::string(value.text_value());
}

bool boolean_value(const DataNode& value, const Operand& operand) {
  if (value.is(DataKind::kBoolean)) return value.boolean_value();
  if (value.is(DataKind::kString) && value.text_value() == "true") return true;
  if (value.is(DataKind::kString) && value.text_value() == "false") return false;
  refuse_query(fmt::format("Argument \"{}\" is incompatible with boolean field \"{}\".",
                           plain_text(value), operand.name));
}

bool is_json(const Operand& operand) {
  return operand.is_dotted || operand.kind == FieldKind::kValue ||
         operand.kind == FieldKind::kFacts || operand.kind == FieldKind::kTrusted ||
         operand.kind == FieldKind::kParameters;
}

// Returns the name in ["KIND", NAME], or nothing.
std::optional<std::string_view> name_of_kind(const DataNode& field, std::string_view kind) {
  if (!field.is(DataKind::kArray) || field.items().size() != 2) return std::nullopt;
  const DataNode& first = field.items()[0];
  const DataNode& name = field.items()[1];
  if (!first.is(DataKind::kString) || first.text_value() != kind) return std::nullopt;
  if (!name.is(DataKind::kString)) return std::nullopt;
  return name.text_value();
}

// Returns the name in ["fact", NAME] where it is a field: in queries of nodes.
std::optional<std::string_view> fact_field(const Entity& entity, const DataNode& field) {
  return entity.name == "nodes" ? name_of_kind(field, "fact") : std::nullopt;
}

bool is_scalar(const DataNode& value) {
  return !value.is(DataKind::kArray) && !value.is(DataKind::kHash);
}

std::string is_in(size_t columns, const std::string& outer, const std::string& inner) {
  return columns == 1 ? fmt::format("{} IN ({})", outer, inner)
                      : fmt::format("({}) IN ({})", outer, inner);
}

// {"a":{"b":VALUE}}
std::string nested_json(const std::vector<std::string>& steps, const DataNode& value) {
  std::string text;
  for (const std::string& step : steps) {
    text += '{';
    append_json_string(text, step);
    text += ':';
  }
  text += json_of(value);
  text.append(steps.size(), '}');
  return text;
}

}  // namespace

void refuse_query(std::string message) {
  throw StoreError(StoreErrorKind::kInput, std::move(message));
}

std::string ConditionCompiler::condition(const Entity& entity, const DataNode& node) {
  const std::string_view op = operator_of(node);
  if (op == "and" || op == "or") return chain(entity, node, op);
  if (op == "not") {
    if (node.items().size() != 2) {
      refuse_query(fmt::format("'not' takes exactly one argument, but {} were supplied",
                               node.items().size() - 1));
    }
    return fmt::format("NOT {}", condition(entity, node.items()[1]));
  }
  if (op == "=") return equality(entity, node);
  if (op == "<" || op == ">" || op == "<=" || op == ">=") return order(entity, node);
  if (op == "~") return match(entity, node);
  if (op == "~>") return path_match(entity, node);
  if (op == "null?") return null_test(entity, node);
  if (op == "in") return membership(entity, node);
  if (op == "subquery") return implicit_subquery(entity, node);
  refuse_query(
      fmt::format("{} is not well-formed: query operator '{}' is unknown", ast_text(node), op));
}

std::string ConditionCompiler::chain(const Entity& entity, const DataNode& node,
                                     std::string_view word) {
  const std::span<const DataNode> parts = node.items().subspan(1);
  if (parts.empty()) {
    refuse_query(fmt::format("'{}' takes at least one argument, but none were supplied", word));
  }
  std::string sql = "(";
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) sql += word == "and" ? " AND " : " OR ";
    sql += condition(entity, parts[i]);
  }
  return sql + ")";
}

Operand ConditionCompiler::field(const Entity& entity, const DataNode& node, Use use) {
  if (node.is(DataKind::kString)) {
    if (auto found = find_field(entity, node.text_value(), use)) return std::move(*found);
    refuse_query(unknown_field_message(entity, node.text_value()));
  }
  if (node.is(DataKind::kArray) && node.items().size() == 2 &&
      node.items()[0].is(DataKind::kString) && node.items()[1].is(DataKind::kString)) {
    const std::string_view name = node.items()[1].text_value();
    if (node.items()[0].text_value() == "parameter" && entity.name == "resources") {
      Operand operand;
      operand.name = name;
      operand.kind = FieldKind::kValue;
      std::string path = "[";
      append_json_string(path, name);
      operand.sql = fmt::format("bk_at(rp.parameters, {})", values_.add(path + "]"));
      operand.is_exact = true;
      return operand;
    }
  }
  refuse_query(unknown_field_message(entity, ast_text(node)));
}

std::optional<Operand> ConditionCompiler::find_field(const Entity& entity, std::string_view name,
                                                     Use use) {
  if (const Field* field = entity.find(name)) {
    Operand operand;
    operand.name = name;
    operand.kind = field->kind;
    operand.sql = field->sql;
    operand.nested = field->nested;
    return operand;
  }
  return dotted_field(entity, name, use);
}

std::optional<Operand> ConditionCompiler::dotted_field(const Entity& entity, std::string_view name,
                                                       Use use) {
  std::optional<DottedName> dotted = split_dotted_name(name);
  if (!dotted) return {};
  const Field* field = entity.find(dotted->field);
  if (field == nullptr || dotted->steps.empty()) return {};
  if (std::ranges::any_of(dotted->steps, &DottedStep::is_expression)) {
    const bool is_fact = field->kind == FieldKind::kFacts || field->kind == FieldKind::kTrusted;
    return is_fact && use != Use::kShown ? matched_field(name, *dotted) : std::nullopt;
  }
  Operand operand;
  operand.name = name;
  operand.kind = FieldKind::kValue;
  operand.is_dotted = true;
  std::vector<DottedStep> steps = std::move(dotted->steps);
  std::string base(field->sql);
  const std::string key = fmt::format("{}/{}", entity.name, name);
  if (field->kind == FieldKind::kFacts) {
    if (steps[0].is_index) return {};
    const std::string base_key = fmt::format("{}/fact/{}", entity.name, steps[0].name);
    auto [known, is_new] = dotted_.try_emplace(base_key);
    if (is_new) {
      known->second =
          fmt::format("(SELECT fd.value FROM fact fd WHERE fd.node_id = n.id AND fd.name = {})",
                      values_.add(steps[0].name));
    }
    base = known->second;
    steps.erase(steps.begin());
  } else if (field->kind != FieldKind::kTrusted && field->kind != FieldKind::kParameters) {
    return {};
  }
  operand.container = base;
  operand.sql = base;
  if (steps.empty()) return operand;
  // An index ends the containment test: the value below it is compared itself.
  const bool has_index = std::ranges::any_of(steps, &DottedStep::is_index);
  if (!has_index) {
    for (const DottedStep& step : steps) operand.steps.push_back(step.name);
    if (use == Use::kContainer) return operand;
  }
  auto [known, is_new] = dotted_.try_emplace(key);
  if (is_new) known->second = fmt::format("bk_at({}, {})", base, values_.add(path_json(steps)));
  operand.sql = known->second;
  if (has_index) operand.container = operand.sql, operand.has_index = true;
  return operand;
}

// facts.os.match("fam.*"): the operand is a leaf `l` of the node's fact.
std::optional<Operand> ConditionCompiler::matched_field(std::string_view name,
                                                        const DottedName& dotted) {
  std::vector<DottedStep> steps = dotted.steps;
  if (dotted.field == "trusted") steps.insert(steps.begin(), DottedStep{"trusted"});
  Operand operand;
  operand.name = name;
  operand.kind = FieldKind::kValue;
  operand.sql = operand.container = "l.value";
  operand.leaf_begin = fmt::format(
      "EXISTS (SELECT 1 FROM fact fd CROSS JOIN bk_leaves(fd.name, fd.value) l WHERE fd.node_id = "
      "n.id AND bk_path_matches(l.path, {}, false) AND ",
      values_.add(path_pattern_json(steps)));
  operand.leaf_end = ")";
  return operand;
}

std::string ConditionCompiler::equality(const Entity& entity, const DataNode& node) {
  need_arguments(node, 2, "two");
  const DataNode& left = node.items()[1];
  const DataNode& right = node.items()[2];
  if (entity.has_node && name_of_kind(left, "node") == "active") {
    const bool is_active = right.is(DataKind::kBoolean) && right.boolean_value();
    return fmt::format("{}{}", is_active ? "" : "NOT ", kIsActive);
  }
  if (const auto fact = fact_field(entity, left)) return fact_of_node(*fact, node);
  if (left.is(DataKind::kString) && left.text_value() == "node_state" && entity.has_node) {
    return node_state(right);
  }
  if (left.is(DataKind::kString) && left.text_value() == "type" && entity.name == "reports" &&
      right.is(DataKind::kString) && right.text_value() == "any") {
    return "(1 = 1)";
  }
  if (right.is(DataKind::kNull)) return null_test_of(field(entity, left), true);
  if (left.is(DataKind::kString) && left.text_value() == "facts" && right.is(DataKind::kHash) &&
      entity.find("facts") != nullptr && entity.find("facts")->kind == FieldKind::kFacts) {
    return facts_contain(entity, right);
  }
  const Operand operand = field(entity, left, Use::kContainer);
  return operand.leaf_begin + equality_of(operand, right) + operand.leaf_end;
}

// The conjunction of conditions for each entry of a hash of facts.
std::string ConditionCompiler::facts_contain(const Entity& entity, const DataNode& facts) {
  std::string sql = "(1 = 1";
  for (const DataEntry& fact : facts.entries()) {
    std::string name = "facts.\"";
    name += fact.key.text_value();
    const std::optional<Operand> operand = find_field(entity, name + "\"", Use::kContainer);
    if (!operand) refuse_query(unknown_field_message(entity, name + "\""));
    sql += " AND " + equality_of(*operand, fact.value);
  }
  return sql + ")";
}

std::string ConditionCompiler::node_state(const DataNode& value) {
  const std::string state = value.is(DataKind::kString) ? downcase(value.text_value()) : "";
  if (state == "active") return std::string(kIsActive);
  if (state == "inactive") return fmt::format("NOT {}", kIsActive);
  if (state == "any") return "(1 = 1)";
  refuse_query(fmt::format("Invalid node_state value '{}': expected active, inactive or any",
                           plain_text(value)));
}

std::string ConditionCompiler::equality_of(const Operand& operand, const DataNode& value) {
  if (operand.is_exact) {
    return fmt::format("bk_exact({}) = bk_exact(bk_json({}))", operand.sql,
                       values_.add(json_of(value)));
  }
  if (operand.is_dotted) {
    if (operand.steps.empty() && (is_scalar(value) || operand.has_index)) {
      return fmt::format("coalesce(bk_equal({}, {}), false)", operand.container,
                         values_.add(json_of(value)));
    }
    return fmt::format("coalesce(bk_contains({}, {}), false)", operand.container,
                       values_.add(nested_json(operand.steps, value)));
  }
  switch (operand.kind) {
    case FieldKind::kText:
      return fmt::format("{} = {}", operand.sql, values_.add(text_value(value, operand)));
    case FieldKind::kTime:
      return fmt::format("{} = {}", operand.sql, values_.add(time_value(value)));
    case FieldKind::kBoolean:  // without a bound value, so that a partial index can be used
      return boolean_value(value, operand) ? fmt::format("({})", operand.sql)
                                           : fmt::format("(NOT {})", operand.sql);
    case FieldKind::kNumber:
      return fmt::format("{} = {}", operand.sql, values_.add(number_value(value, operand)));
    case FieldKind::kArray: {
      const std::string text = is_scalar(value) ? plain_text(value) : text_value(value, operand);
      return fmt::format("bk_has({}, {})", operand.sql,
                         values_.add(operand.name == "tag" ? downcase(text) : text));
    }
    case FieldKind::kFacts:
    case FieldKind::kNested:
    case FieldKind::kJson:
      refuse_query(fmt::format("The field '{}' cannot be queried as a whole", operand.name));
    case FieldKind::kTrusted:
    case FieldKind::kParameters:
      return fmt::format("coalesce(bk_contains({}, {}), false)", operand.sql,
                         values_.add(json_of(value)));
    case FieldKind::kPath:
    case FieldKind::kValue:
      return fmt::format("bk_equal({}, {})", operand.sql, values_.add(json_of(value)));
  }
  return {};
}

std::string ConditionCompiler::order(const Entity& entity, const DataNode& node) {
  need_arguments(node, 2, "two");
  const std::string_view op = operator_of(node);
  const DataNode& left = node.items()[1];
  const DataNode& right = node.items()[2];
  if (const auto fact = fact_field(entity, left)) return fact_of_node(*fact, node);
  const Operand operand = field(entity, left);
  if (is_json(operand)) {
    return operand.leaf_begin + number_comparison(operand, op, right) + operand.leaf_end;
  }
  if (operand.kind == FieldKind::kTime) {
    return fmt::format("{} {} {}", operand.sql, op, values_.add(time_value(right)));
  }
  if (operand.kind == FieldKind::kNumber) {
    if (!right.is(DataKind::kInteger) && !right.is(DataKind::kFloat)) {
      refuse_query(fmt::format("Argument \"{}\" and operator \"{}\" have incompatible types.",
                               plain_text(right), op));
    }
    // A fraction is compared as such, although the column has whole numbers.
    const std::string value = values_.add(number_value(right, operand));
    return right.is(DataKind::kFloat)
               ? fmt::format("{} {} CAST({} AS NUMERIC)", operand.sql, op, value)
               : fmt::format("{} {} {}", operand.sql, op, value);
  }
  refuse_query(fmt::format("Query operators >,>=,<,<= are not allowed on field {}", operand.name));
}

std::string ConditionCompiler::number_comparison(const Operand& operand, std::string_view op,
                                                 const DataNode& value) {
  if (!value.is(DataKind::kInteger) && !value.is(DataKind::kFloat)) {
    // Dotted fields may have any type; values of incomparable types do not match.
    if (operand.is_dotted && value.is(DataKind::kString)) {
      return fmt::format("({} IS NULL AND 1 = 0)", operand.sql);
    }
    refuse_query(fmt::format("Argument \"{}\" and operator \"{}\" have incompatible types.",
                             plain_text(value), op));
  }
  const std::string sql = fmt::format("bk_number({}) {} {}", operand.sql, op,
                                      values_.add(number_value(value, operand)));
  return operand.is_dotted ? fmt::format("coalesce({}, false)", sql) : sql;
}

std::string ConditionCompiler::match(const Entity& entity, const DataNode& node) {
  need_arguments(node, 2, "two");
  const DataNode& left = node.items()[1];
  const DataNode& right = node.items()[2];
  if (const auto fact = fact_field(entity, left)) return fact_of_node(*fact, node);
  const Operand operand = field(entity, left);
  if (!right.is(DataKind::kString)) {
    refuse_query(fmt::format("Argument \"{}\" is no regular expression", plain_text(right)));
  }
  const std::string pattern(right.text_value());
  if (operand.is_exact) {  // the pattern is JSON as well, so that it matches a whole string
    return fmt::format("bk_matches(bk_exact({}), {})", operand.sql, values_.add(json_of(right)));
  }
  if (operand.kind == FieldKind::kArray) {
    return fmt::format("bk_has_match({}, {})", operand.sql, values_.add(pattern));
  }
  if (operand.kind == FieldKind::kPath) {
    refuse_query("The field 'path' is matched with the operator '~>'");
  }
  if (is_json(operand)) {
    if (operand.kind == FieldKind::kFacts) {
      refuse_query(fmt::format("The field '{}' cannot be queried as a whole", operand.name));
    }
    const std::string sql =
        fmt::format("bk_matches(bk_text({}), {})", operand.sql, values_.add(pattern));
    // A missing value does not match, so its negation does.
    if (!operand.leaf_begin.empty()) return operand.leaf_begin + sql + operand.leaf_end;
    return operand.is_dotted ? fmt::format("coalesce({}, false)", sql) : sql;
  }
  if (operand.kind != FieldKind::kText) {
    refuse_query(
        fmt::format("Argument \"{}\" is incompatible with field \"{}\".", pattern, operand.name));
  }
  return fmt::format("bk_matches({}, {})", operand.sql, values_.add(pattern));
}

std::string ConditionCompiler::path_match(const Entity& entity, const DataNode& node) {
  need_arguments(node, 2, "two");
  const Operand operand = field(entity, node.items()[1]);
  const DataNode& pattern = node.items()[2];
  if (operand.kind != FieldKind::kPath) {
    refuse_query(fmt::format("Query operator ~> is not allowed on field {}", operand.name));
  }
  const bool is_path = pattern.is(DataKind::kArray) &&
                       std::ranges::all_of(pattern.items(), [](const DataNode& item) {
                         return item.is(DataKind::kString) || item.is(DataKind::kInteger);
                       });
  if (!is_path) {
    refuse_query("The operator ~> takes an array of regular expressions and indexes");
  }
  // Patterns match parts of a node's values, but whole paths of fact_paths.
  return fmt::format("bk_path_matches({}, {}, {})", operand.sql, values_.add(json_of(pattern)),
                     entity.name == "fact_paths" ? "true" : "false");
}

std::string ConditionCompiler::null_test(const Entity& entity, const DataNode& node) {
  need_arguments(node, 2, "two");
  if (!node.items()[2].is(DataKind::kBoolean)) {
    refuse_query("The second argument of null? must be a boolean");
  }
  return null_test_of(field(entity, node.items()[1]), node.items()[2].boolean_value());
}

std::string ConditionCompiler::null_test_of(const Operand& operand, bool is_null) {
  if (!operand.leaf_begin.empty()) {
    return fmt::format("{}jsonb_typeof({}) {} 'null'{}", operand.leaf_begin, operand.sql,
                       is_null ? "=" : "<>", operand.leaf_end);
  }
  // A missing key is neither null nor not null.
  if (operand.is_dotted || operand.is_exact || operand.kind == FieldKind::kValue) {
    return fmt::format("jsonb_typeof({}) {} 'null'", operand.sql, is_null ? "=" : "<>");
  }
  return fmt::format("({} IS {}NULL)", operand.sql, is_null ? "" : "NOT ");
}

// For nodes: a fact of this name has the relation of the operator to the value.
std::string ConditionCompiler::fact_of_node(std::string_view name, const DataNode& node) {
  const Entity& facts = *find_entity("facts");
  const Operand value = *find_field(facts, "value");
  const std::string name_place = values_.add(std::string(name));
  const std::string_view op = operator_of(node);
  const DataNode& right = node.items()[2];
  std::string test;
  if (op == "=") {
    test = equality_of(value, right);
  } else if (op == "~") {
    test = fmt::format("bk_matches(bk_text(f.value), {})", values_.add(plain_text(right)));
  } else {
    test = fmt::format("bk_number(f.value) {} {}", op, values_.add(number_value(right, value)));
  }
  return fmt::format("n.id IN (SELECT f.node_id FROM fact f WHERE f.name = {} AND {})", name_place,
                     test);
}

std::string ConditionCompiler::membership_in_array(const std::vector<Operand>& operands,
                                                   const DataNode& items) {
  if (operands.size() != 1) {
    refuse_query("An array can be searched for one field at a time");
  }
  if (!items.is(DataKind::kArray)) refuse_query("'array' takes an array of values");
  if (items.items().size() > kMostItems) {
    refuse_query(fmt::format("'array' takes up to {} values", kMostItems));
  }
  if (items.items().empty()) return "(1 = 0)";
  const Operand& operand = operands[0];
  const bool is_listed = operand.kind == FieldKind::kText || operand.kind == FieldKind::kTime ||
                         operand.kind == FieldKind::kNumber;
  std::string sql = is_listed ? fmt::format("{} IN (", operand.sql) : "(";
  bool is_first = true;
  for (const DataNode& item : items.items()) {
    if (!is_first) sql += is_listed ? ", " : " OR ";
    is_first = false;
    if (!is_listed) {
      sql += equality_of(operand, item);
    } else if (operand.kind == FieldKind::kText) {
      sql += values_.add(is_scalar(item) ? plain_text(item) : text_value(item, operand));
    } else if (operand.kind == FieldKind::kTime) {
      sql += values_.add(time_value(item));
    } else {
      sql += values_.add(number_value(item, operand));
    }
  }
  return sql + ")";
}

std::string ConditionCompiler::membership(const Entity& entity, const DataNode& node) {
  need_arguments(node, 2, "two");
  const DataNode& left = node.items()[1];
  const DataNode& right = node.items()[2];
  const bool is_special =
      left.is(DataKind::kArray) && left.items().size() == 2 &&
      left.items()[0].is(DataKind::kString) &&
      (left.items()[0].text_value() == "fact" || left.items()[0].text_value() == "parameter");
  std::vector<Operand> operands;
  if (is_special && left.items()[0].text_value() == "fact" && entity.name == "nodes") {
    if (operator_of(right) != "array" || right.items().size() != 2) {
      refuse_query("A fact of a node is searched for in an array only");
    }
    const std::string name = values_.add(plain_text(left.items()[1]));
    return fmt::format(
        "n.id IN (SELECT f.node_id FROM fact f WHERE f.name = {} AND {})", name,
        membership_in_array({*find_field(*find_entity("facts"), "value")}, right.items()[1]));
  }
  const Use use = operator_of(right) == "array" ? Use::kContainer : Use::kValue;
  if (left.is(DataKind::kArray) && !is_special) {
    for (const DataNode& item : left.items()) operands.push_back(field(entity, item, use));
  } else {
    operands.push_back(field(entity, left, use));
  }
  if (operator_of(right) == "array") {
    if (right.items().size() != 2) refuse_query("'array' takes exactly one argument");
    return membership_in_array(operands, right.items()[1]);
  }
  const Subquery inner = subquery(right, operands.size());
  if (inner.columns.size() != operands.size()) {
    refuse_query(fmt::format("The operator 'in' has {} field{} on its left and {} on its right",
                             operands.size(), operands.size() == 1 ? "" : "s",
                             inner.columns.size()));
  }
  std::string outer;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (i > 0) outer += ", ";
    outer += is_json(operands[i]) ? fmt::format("bk_text({})", operands[i].sql) : operands[i].sql;
  }
  return is_in(operands.size(), outer, inner.sql);
}

std::string ConditionCompiler::implicit_subquery(const Entity& entity, const DataNode& node) {
  if (node.items().size() < 2 || !node.items()[1].is(DataKind::kString)) {
    refuse_query("'subquery' takes the name of an entity and a query");
  }
  const std::string_view name = node.items()[1].text_value();
  const Entity* inner = find_entity(name);
  const std::optional<JoinColumns> columns =
      inner == nullptr ? std::optional<JoinColumns>() : implicit_join(entity, *inner);
  if (!columns) refuse_query(fmt::format("No implicit relationship for entity '{}'", name));
  std::string outer;
  std::vector<std::string> fields;
  for (const auto& [left, right] : *columns) {
    outer += fmt::format("{}{}", outer.empty() ? "" : ", ", find_field(entity, left)->sql);
    fields.emplace_back(right);
  }
  const DataNode* filter = node.items().size() > 2 ? &node.items()[2] : nullptr;
  const Subquery made = select(*inner, fields, filter, {});
  return is_in(columns->size(), outer, made.sql);
}

std::string distinct_resources_condition(int64_t start, int64_t end, SqlValues& values) {
  const std::string from = values.add(start), to = values.add(end);
  // The set is computed once: searching a later event for each event would take quadratic time.
  return fmt::format(
      "(v.node_id, v.resource_type, v.resource_title, coalesce(v.property, ''), v.timestamp) IN "
      "(SELECT node_id, resource_type, resource_title, coalesce(property, ''), max(timestamp) FROM "
      "event WHERE timestamp >= {} AND timestamp <= {} GROUP BY 1, 2, 3, 4)",
      from, to);
}

bool speaks_of_field(const DataNode& query, std::string_view field) {
  if (!query.is(DataKind::kArray) || query.items().size() < 2) return false;
  const DataNode& op = query.items()[0];
  if (!op.is(DataKind::kString)) return false;
  const std::string_view word = op.text_value();
  if (word == "and" || word == "or" || word == "not") {
    return std::ranges::any_of(query.items().subspan(1),
                               [&](const DataNode& part) { return speaks_of_field(part, field); });
  }
  if (word == "subquery") return false;
  return query.items()[1].is(DataKind::kString) && query.items()[1].text_value() == field;
}

bool speaks_of_activity(const DataNode& query) {
  if (!query.is(DataKind::kArray) || query.items().size() < 2) return false;
  const DataNode& op = query.items()[0];
  if (!op.is(DataKind::kString)) return false;
  const std::string_view word = op.text_value();
  if (word == "and" || word == "or" || word == "not") {
    return std::ranges::any_of(query.items().subspan(1), speaks_of_activity);
  }
  const DataNode& subject = query.items()[1];
  if (subject.is(DataKind::kString)) return subject.text_value() == "node_state";
  return subject.is(DataKind::kArray) && subject.items().size() == 2 &&
         subject.items()[0].is(DataKind::kString) && subject.items()[0].text_value() == "node";
}

}  // namespace bunraku::store
