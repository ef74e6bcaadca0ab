// SELECT statements: projections, functions, groups, paging, subqueries.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <ranges>

#include "base/formats/json.h"
#include "base/text/utf8.h"
#include "store/query/compiler.h"
#include "store/query/conditions.h"
#include "store/query/fields.h"

namespace bunraku::store {
namespace {

constexpr std::string_view kSelectPrefix = "select_";

// The tables with columns of resources only, and the tables of their catalogs.
constexpr std::array<std::string_view, 4> kOfResources{"r.", "rp.", "t.", "fl."};
constexpr std::string_view kCatalogs =
    "catalog c INNER JOIN node n ON n.id = c.node_id LEFT JOIN environment e ON e.id = "
    "c.environment_id";

// The expression by which rows are ordered: JSON has an order of its own, and a path is ordered as
// text.
std::string in_order(FieldKind kind, const std::string& sql, const std::string& otherwise) {
  if (kind == FieldKind::kValue) return fmt::format("bk_order({})", sql);
  return kind == FieldKind::kPath ? fmt::format("bk_path_text({})", sql) : otherwise;
}

// Returns whether the SQL names a column of this table ("r.").
bool mentions(std::string_view sql, std::string_view table) {
  for (size_t at = sql.find(table); at != std::string_view::npos; at = sql.find(table, at + 1)) {
    const char before = at == 0 ? ' ' : sql[at - 1];
    if (std::isalnum(static_cast<unsigned char>(before)) == 0 && before != '_') return true;
  }
  return false;
}

// FROM without tables that the rest of the statement does not mention, where leaving them out
// changes no rows: those after LEFT JOIN, with at most one row, and those after INNER JOIN (see
// entities.cc). `rest` is all other SQL of the statement.
std::string with_needed_joins(std::string_view from, std::string_view rest) {
  constexpr std::array<std::string_view, 4> kJoins{" LEFT JOIN ", " INNER JOIN ", " CROSS JOIN ",
                                                   " JOIN "};
  const auto join_of = [&](std::string_view text) {
    const auto found =
        std::ranges::find_if(kJoins, [&](std::string_view join) { return text.starts_with(join); });
    return found == kJoins.end() ? std::string_view() : *found;
  };
  std::vector<std::string_view> parts;  // each starts with its join
  while (!from.empty()) {
    size_t end = join_of(from).size();
    while (end < from.size() && join_of(from.substr(end)).empty()) ++end;
    parts.push_back(from.substr(0, end));
    from.remove_prefix(end);
  }
  std::string kept;
  for (const std::string_view part : std::views::reverse(parts)) {
    const std::string_view join = join_of(part);
    if (join == kJoins[0] || join == kJoins[1]) {
      const size_t table_end = part.find(' ', join.size());
      const size_t alias_end = part.find(' ', table_end + 1);
      const std::string column =
          std::string(part.substr(table_end + 1, alias_end - table_end - 1)) + ".";
      if (!mentions(rest, column) && !mentions(kept, column)) continue;
    }
    kept.insert(0, part);
  }
  return kept;
}

struct SelectedColumn {
  std::string sql;
  Operand operand;
  Column column;
  bool is_aggregate = false;
};

// Compiles one SELECT from the tree to SQL.
class SelectCompiler {
 public:
  SelectCompiler(ConditionCompiler& conditions, const Entity& entity)
      : conditions_(conditions), entity_(entity) {}

  // Reads the parts after the entity in ["from", ...], or the only query of an endpoint.
  void read(const DataNode& query);
  void read_clause(const DataNode& clause);
  void select(const std::vector<std::string>& fields);
  void add_extra(const std::vector<std::string>& fields) { extra_fields_ = fields; }
  void add_condition(std::string sql) { wheres_.push_back(std::move(sql)); }
  void page(const Paging& paging);

  const DataNode* filter() const { return filter_; }
  bool has_clause() const { return has_clause_; }
  // To be called once, after everything has been read. `count` becomes a statement that counts the
  // rows without order and limits.
  std::string sql(std::string* count = nullptr);
  // The SQL with text instead of JSON, for comparisons with texts.
  std::string sql_of_texts();
  void keep_columns(size_t most) {
    if (columns_.size() > most) columns_.resize(most);
  }
  std::vector<Column> columns() const;
  std::vector<Operand> operands() const;

 private:
  void select_all();
  void select_one(const DataNode& item);
  SelectedColumn field_column(std::string_view name);
  SelectedColumn function_column(std::span<const DataNode> call);
  std::string function_argument(std::string_view function, const DataNode& item, FieldKind& kind);
  std::string name_of(std::string name) const;
  void read_extract(const DataNode& query);
  void read_group(const DataNode& clause);
  std::string order_sql();
  std::string conditions_sql();
  std::string count_sql(std::string_view list, std::string_view rest) const;
  bool counts_catalogs();

  ConditionCompiler& conditions_;
  const Entity& entity_;
  std::vector<SelectedColumn> columns_;
  std::vector<std::string> groups_;
  std::vector<std::string> extra_fields_;
  std::vector<std::string> wheres_;
  const DataNode* filter_ = nullptr;
  Paging paging_;
  std::string_view from_;
  bool has_extract_ = false, has_clause_ = false, is_grouped_ = false;
};

bool is_operation(const DataNode& node, std::string_view name) {
  return node.is(DataKind::kArray) && !node.items().empty() &&
         node.items()[0].is(DataKind::kString) && node.items()[0].text_value() == name;
}

std::string SelectCompiler::name_of(std::string name) const {
  const auto is_taken = [&](const std::string& wanted) {
    return std::ranges::any_of(columns_,
                               [&](const SelectedColumn& c) { return c.column.name == wanted; });
  };
  if (!is_taken(name)) return name;
  for (int number = 2;; ++number) {
    std::string other = fmt::format("{}_{}", name, number);
    if (!is_taken(other)) return other;
  }
}

SelectedColumn SelectCompiler::field_column(std::string_view name) {
  const std::optional<Operand> operand =
      conditions_.find_field(entity_, name, ConditionCompiler::Use::kShown);
  const Field* field = entity_.find(name);
  if (!operand || (field != nullptr && field->is_query_only &&
                   std::ranges::find(extra_fields_, name) == extra_fields_.end())) {
    refuse_query(unknown_projection_message(entity_, name));
  }
  return {operand->sql, *operand, {std::string(name), operand->kind, operand->nested}, false};
}

std::string SelectCompiler::function_argument(std::string_view function, const DataNode& item,
                                              FieldKind& kind) {
  if (!item.is(DataKind::kString)) {
    refuse_query(fmt::format("The function '{}' takes the name of a field", function));
  }
  const SelectedColumn column = field_column(item.text_value());
  kind = column.operand.kind;
  const bool computes =
      function == "avg" || function == "sum" || function == "min" || function == "max";
  if (kind == FieldKind::kValue && computes) {
    kind = FieldKind::kNumber;
    return fmt::format("bk_numeric({})", column.sql);
  }
  if (computes && kind != FieldKind::kNumber &&
      !((function == "min" || function == "max") &&
        (kind == FieldKind::kTime || kind == FieldKind::kText))) {
    refuse_query(fmt::format("The function '{}' cannot be computed of the field '{}'", function,
                             item.text_value()));
  }
  return column.sql;
}

SelectedColumn SelectCompiler::function_column(std::span<const DataNode> call) {
  if (call.size() < 2 || !call[1].is(DataKind::kString)) {
    refuse_query("'function' takes the name of a function and its arguments");
  }
  const std::string_view name = call[1].text_value();
  SelectedColumn made;
  made.column.name = name_of(std::string(name));
  made.column.kind = FieldKind::kNumber;
  FieldKind kind = FieldKind::kNumber;
  if (name == "count" && call.size() == 2) {
    made.sql = "count(*)";
    made.is_aggregate = true;
    return made;
  }
  if (call.size() < 3) refuse_query(fmt::format("The function '{}' takes a field", name));
  if (name == "count" || name == "avg" || name == "sum" || name == "min" || name == "max") {
    made.sql = fmt::format("{}({})", name, function_argument(name, call[2], kind));
    made.is_aggregate = true;
    if (name == "min" || name == "max") made.column.kind = kind;
    return made;
  }
  if (name == "to_string" && call.size() == 4 && call[3].is(DataKind::kString)) {
    const std::string argument = function_argument(name, call[2], kind);
    if (kind != FieldKind::kTime) refuse_query("The function 'to_string' takes a timestamp");
    made.sql = fmt::format("bk_time_format({}, {})", argument,
                           conditions_.values().add(std::string(call[3].text_value())));
    made.column.kind = FieldKind::kText;
    return made;
  }
  if (name == "jsonb_typeof") {
    made.sql = fmt::format("jsonb_typeof({})", function_argument(name, call[2], kind));
    made.column.kind = FieldKind::kText;
    return made;
  }
  refuse_query(fmt::format("Unsupported function '{}'", name));
}

void SelectCompiler::select_one(const DataNode& item) {
  if (item.is(DataKind::kString)) {
    SelectedColumn column = field_column(item.text_value());
    column.column.name = name_of(std::move(column.column.name));
    columns_.push_back(std::move(column));
    return;
  }
  if (!is_operation(item, "function")) {
    refuse_query(unknown_projection_message(entity_, ast_text(item)));
  }
  columns_.push_back(function_column(item.items()));
}

void SelectCompiler::select_all() {
  for (const Field& field : entity_.fields) {
    const bool is_extra = std::ranges::find(extra_fields_, field.name) != extra_fields_.end();
    if (!field.is_query_only || is_extra) columns_.push_back(field_column(field.name));
  }
}

void SelectCompiler::select(const std::vector<std::string>& fields) {
  for (const std::string& name : fields) columns_.push_back(field_column(name));
}

void SelectCompiler::read_group(const DataNode& clause) {
  is_grouped_ = true;
  if (clause.items().size() < 2) refuse_query("'group_by' takes fields and functions");
  for (const DataNode& item : clause.items().subspan(1)) {
    if (item.is(DataKind::kString)) {
      groups_.push_back(field_column(item.text_value()).sql);
    } else if (is_operation(item, "function")) {
      // The same text as in the projection, because values would be numbered differently.
      const std::string name = item.items().size() > 1 ? plain_text(item.items()[1]) : "";
      const auto found = std::ranges::find_if(columns_, [&](const SelectedColumn& column) {
        return !column.is_aggregate && column.column.name == name;
      });
      groups_.push_back(found != columns_.end() ? found->sql : function_column(item.items()).sql);
    } else {
      refuse_query("'group_by' takes fields and functions");
    }
  }
}

void SelectCompiler::read_extract(const DataNode& query) {
  has_extract_ = true;
  const std::span<const DataNode> items = query.items();
  if (items.size() < 2) refuse_query("'extract' takes the fields to extract");
  if (items[1].is(DataKind::kArray) && !is_operation(items[1], "function")) {
    for (const DataNode& item : items[1].items()) select_one(item);
  } else {
    select_one(items[1]);
  }
  if (columns_.empty()) select_all();
  for (const DataNode& item : items.subspan(2)) {
    if (is_operation(item, "group_by")) {
      read_group(item);
    } else if (item.is(DataKind::kNull)) {
      continue;
    } else if (filter_ == nullptr) {
      filter_ = &item;
    } else {
      refuse_query("'extract' takes one query");
    }
  }
}

void SelectCompiler::read(const DataNode& query) {
  if (is_operation(query, "extract")) {
    read_extract(query);
  } else {
    filter_ = &query;
  }
}

void SelectCompiler::read_clause(const DataNode& clause) {
  has_clause_ = true;
  const std::string_view word = clause.items()[0].text_value();
  const bool is_repeated = (word == "limit" && paging_.limit) ||
                           (word == "offset" && paging_.offset) ||
                           (word == "order_by" && !paging_.order.empty());
  if (is_repeated) refuse_query(fmt::format("Multiple '{}' clauses are not permitted", word));
  if (clause.items().size() != 2) refuse_query(fmt::format("'{}' takes one argument", word));
  const DataNode& argument = clause.items()[1];
  if (word == "order_by") {
    if (!argument.is(DataKind::kArray)) refuse_query("'order_by' takes an array of fields");
    for (const DataNode& item : argument.items()) {
      OrderItem order;
      if (item.is(DataKind::kString)) {
        order.field = item.text_value();
      } else if (item.is(DataKind::kArray) && !item.items().empty() &&
                 item.items()[0].is(DataKind::kString)) {
        order.field = item.items()[0].text_value();
        const std::string direction =
            item.items().size() > 1 ? downcase(plain_text(item.items()[1])) : "asc";
        if (direction != "asc" && direction != "desc") {
          refuse_query(
              fmt::format("Illegal value '{}' in :order_by; 'order' must be either 'asc' or 'desc'",
                          direction));
        }
        order.is_descending = direction == "desc";
      } else {
        refuse_query("'order_by' takes an array of fields");
      }
      paging_.order.push_back(std::move(order));
    }
    return;
  }
  if (!argument.is(DataKind::kInteger) || argument.integer_value() < (word == "limit" ? 1 : 0)) {
    refuse_query(fmt::format("Illegal value '{}' for :{}; expected a{} integer.",
                             plain_text(argument), word,
                             word == "limit" ? " positive non-zero" : " non-negative"));
  }
  (word == "limit" ? paging_.limit : paging_.offset) = argument.integer_value();
}

void SelectCompiler::page(const Paging& paging) {
  if (paging.limit) paging_.limit = paging.limit;
  if (paging.offset) paging_.offset = paging.offset;
  if (!paging.order.empty()) paging_.order = paging.order;
}

// Returns whether resources are only counted by columns of their catalogs. Then the counts stored
// in catalogs are added instead.
bool SelectCompiler::counts_catalogs() {
  if (entity_.name != "resources" || !paging_.order.empty()) return false;
  bool has_count = false;
  std::vector<std::string_view> texts(wheres_.begin(), wheres_.end());
  for (const std::string& group : groups_) texts.emplace_back(group);
  for (const SelectedColumn& column : columns_) {
    has_count |= column.sql == "count(*)";
    if (column.sql == "count(*)") continue;
    if (column.is_aggregate) return false;
    texts.emplace_back(column.sql);
  }
  const auto is_of_catalog = [](std::string_view text) {
    return std::ranges::none_of(kOfResources,
                                [&](std::string_view alias) { return mentions(text, alias); });
  };
  if (!has_count || !std::ranges::all_of(texts, is_of_catalog)) return false;
  for (SelectedColumn& column : columns_) {
    if (column.sql == "count(*)") column.sql = "CAST(coalesce(sum(c.resource_count), 0) AS BIGINT)";
  }
  wheres_.emplace_back("c.resource_count > 0");
  return true;
}

// The SQL after FROM; also sets from_.
std::string SelectCompiler::conditions_sql() {
  if (columns_.empty()) select_all();
  if (filter_ != nullptr && !filter_->is(DataKind::kNull)) {
    wheres_.push_back(conditions_.condition(entity_, *filter_));
  }
  if (entity_.name == "reports" && (filter_ == nullptr || !speaks_of_field(*filter_, "type"))) {
    wheres_.push_back("r.type = 'agent'");
  }
  if (!entity_.where.empty()) wheres_.emplace_back(entity_.where);
  from_ = counts_catalogs() ? kCatalogs : entity_.from;
  std::string sql;
  if (!wheres_.empty()) sql += fmt::format(" WHERE {}", fmt::join(wheres_, " AND "));
  const bool has_aggregate = std::ranges::any_of(columns_, &SelectedColumn::is_aggregate);
  if (has_aggregate && !is_grouped_) {
    for (const SelectedColumn& column : columns_) {
      if (!column.is_aggregate) groups_.push_back(column.sql);
    }
  }
  if (!groups_.empty()) sql += fmt::format(" GROUP BY {}", fmt::join(groups_, ", "));
  return sql;
}

std::string SelectCompiler::order_sql() {
  std::string sql;
  for (const OrderItem& item : paging_.order) {
    std::string expression;
    const auto selected = std::ranges::find_if(
        columns_, [&](const SelectedColumn& column) { return column.column.name == item.field; });
    if (selected != columns_.end() && selected->column.kind != FieldKind::kNested) {
      expression = in_order(selected->column.kind, selected->sql,
                            std::to_string(selected - columns_.begin() + 1));
    } else if (const auto operand =
                   conditions_.find_field(entity_, item.field, ConditionCompiler::Use::kShown);
               operand && operand->kind != FieldKind::kNested) {
      expression = in_order(operand->kind, operand->sql, operand->sql);
    } else {
      const std::string message = unknown_field_message(entity_, item.field);
      const size_t list = message.find("are ") + 4;
      refuse_query(
          fmt::format("Unrecognized column '{}' specified in :order_by; Supported columns are {}",
                      item.field, message.substr(list)));
    }
    // Databases differ in the default position of nulls.
    sql += fmt::format("{}{} {}", sql.empty() ? "" : ", ", expression,
                       item.is_descending ? "DESC NULLS FIRST" : "ASC NULLS LAST");
  }
  if (sql.empty() && (paging_.limit || paging_.offset) && groups_.empty() &&
      std::ranges::none_of(columns_, &SelectedColumn::is_aggregate)) {
    sql = entity_.key;  // a total order, so that pages are consistent
  }
  return sql.empty() ? sql : fmt::format(" ORDER BY {}", sql);
}

std::string SelectCompiler::count_sql(std::string_view list, std::string_view rest) const {
  const bool has_aggregate = std::ranges::any_of(columns_, &SelectedColumn::is_aggregate);
  // Every bound value must be used in the statement.
  if (groups_.empty() && !has_aggregate && list.find('$') == std::string_view::npos) {
    return fmt::format("SELECT count(*) FROM {}{}", with_needed_joins(from_, rest), rest);
  }
  return fmt::format("SELECT count(*) FROM (SELECT {} FROM {}{}) q", list, from_, rest);
}

std::string SelectCompiler::sql(std::string* count) {
  const std::string rest = conditions_sql();
  std::vector<std::string> columns;
  for (const SelectedColumn& column : columns_) columns.push_back(column.sql);
  const std::string list = fmt::format("{}", fmt::join(columns, ", "));
  if (count != nullptr) *count = count_sql(list, rest);
  const std::string order = order_sql();
  std::string sql = fmt::format("SELECT {} FROM {}{}{}", list,
                                with_needed_joins(from_, list + rest + order), rest, order);
  if (paging_.limit) sql += fmt::format(" LIMIT {}", *paging_.limit);
  // SQLite has no OFFSET without LIMIT.
  if (paging_.offset && !paging_.limit) sql += fmt::format(" LIMIT {}", INT64_MAX);
  if (paging_.offset) sql += fmt::format(" OFFSET {}", *paging_.offset);
  return sql;
}

std::string SelectCompiler::sql_of_texts() {
  for (SelectedColumn& column : columns_) {
    const FieldKind kind = column.column.kind;
    if (kind == FieldKind::kFacts || kind == FieldKind::kNested) {
      refuse_query(
          fmt::format("The field '{}' cannot be extracted in a subquery", column.column.name));
    }
    if (kind == FieldKind::kValue || kind == FieldKind::kTrusted ||
        kind == FieldKind::kParameters) {
      column.sql = fmt::format("bk_text({})", column.sql);
    }
  }
  return sql();
}

std::vector<Column> SelectCompiler::columns() const {
  std::vector<Column> columns;
  for (const SelectedColumn& selected : columns_) columns.push_back(selected.column);
  return columns;
}

std::vector<Operand> SelectCompiler::operands() const {
  std::vector<Operand> operands;
  for (const SelectedColumn& selected : columns_) operands.push_back(selected.operand);
  return operands;
}

bool is_clause(const DataNode& node) {
  return is_operation(node, "limit") || is_operation(node, "offset") ||
         is_operation(node, "order_by");
}

const Entity& from_entity(const DataNode& node) {
  if (node.items().size() < 2 || !node.items()[1].is(DataKind::kString)) {
    refuse_query("This query must be of the form [\"from\", <entity>, (<optional-query>)].");
  }
  std::string name(node.items()[1].text_value());
  std::ranges::replace(name, '-', '_');
  const Entity* entity = find_entity(name);
  if (entity == nullptr) {
    refuse_query(fmt::format("Invalid entity '{}' in query", node.items()[1].text_value()));
  }
  return *entity;
}

// Reads the parts after the entity in ["from", ENTITY, ...].
void read_from(SelectCompiler& select, const DataNode& node) {
  bool has_query = false;
  for (const DataNode& item : node.items().subspan(2)) {
    if (is_clause(item)) {
      select.read_clause(item);
    } else if (has_query || select.has_clause()) {
      refuse_query("This query must be of the form [\"from\", <entity>, (<optional-query>)].");
    } else {
      has_query = true;
      select.read(item);
    }
  }
}

CompiledQuery finish(SelectCompiler& select, const Entity& entity, const QueryContext& context,
                     SqlValues& values) {
  const bool hides_inactive = context.hides_inactive && entity.has_node &&
                              (select.filter() == nullptr || !speaks_of_activity(*select.filter()));
  if (hides_inactive) select.add_condition(std::string(kIsActive));
  CompiledQuery query;
  query.sql = select.sql(&query.count_sql);
  query.columns = select.columns();
  query.values = values.take();
  return query;
}

}  // namespace

namespace {

[[noreturn]] void refuse_root_query() {
  refuse_query(
      "Your initial query must be of the form: [\"from\",<entity>,(<optional-query>)]. Check your "
      "query and try again.");
}

}  // namespace

std::string SqlValues::add(SqlValue value) {
  values_.push_back(std::move(value));
  return fmt::format("${}", values_.size());
}

ConditionCompiler::Subquery ConditionCompiler::select(const Entity& entity,
                                                      const std::vector<std::string>& fields,
                                                      const DataNode* filter,
                                                      const std::vector<const DataNode*>& paging) {
  SelectCompiler select(*this, entity);
  select.select(fields);
  if (filter != nullptr) select.read(*filter);
  for (const DataNode* clause : paging) select.read_clause(*clause);
  Subquery made;
  made.sql = select.sql_of_texts();
  made.columns = select.operands();
  return made;
}

ConditionCompiler::Subquery ConditionCompiler::subquery(const DataNode& node, size_t most) {
  Subquery made;
  if (is_operation(node, "from")) {
    const Entity& entity = from_entity(node);
    SelectCompiler select(*this, entity);
    read_from(select, node);
    select.keep_columns(most);
    made.sql = select.sql_of_texts();
    made.columns = select.operands();
    return made;
  }
  if (!is_operation(node, "extract") || node.items().size() != 3 ||
      !node.items()[2].is(DataKind::kArray) || node.items()[2].items().empty() ||
      !node.items()[2].items()[0].is(DataKind::kString)) {
    refuse_query(fmt::format(
        "{} is not well-formed: the operator 'in' takes an array, an extract of a subquery, or a "
        "'from'",
        ast_text(node)));
  }
  const DataNode& inner = node.items()[2];
  std::string name(inner.items()[0].text_value());
  if (!name.starts_with(kSelectPrefix)) {
    std::string underscored = name;
    std::ranges::replace(underscored, '-', '_');
    if (underscored.starts_with(kSelectPrefix)) {
      refuse_query(
          fmt::format("Unsupported subquery `{}` - did you mean `{}`?", name, underscored));
    }
    refuse_query(fmt::format("Unsupported subquery `{}`", name));
  }
  name = name.substr(kSelectPrefix.size());
  const Entity* entity = find_entity(name);
  if (entity == nullptr) refuse_query(fmt::format("Unsupported subquery `select_{}`", name));
  std::vector<std::string> fields;
  if (node.items()[1].is(DataKind::kArray)) {
    for (const DataNode& field : node.items()[1].items()) fields.push_back(plain_text(field));
  } else {
    fields.push_back(plain_text(node.items()[1]));
  }
  if (fields.size() > most) fields.resize(most);
  return select(*entity, fields, inner.items().size() > 1 ? &inner.items()[1] : nullptr, {});
}

CompiledQuery compile_query(const Entity& entity, const DataNode& query, const Paging& paging,
                            const QueryContext& context) {
  SqlValues values;
  ConditionCompiler conditions(values);
  SelectCompiler select(conditions, entity);
  select.add_extra(context.extra_fields);
  if (!query.is(DataKind::kNull)) select.read(query);
  for (const auto& [name, text] : context.conditions) {
    const std::optional<Operand> operand = conditions.find_field(entity, name);
    if (!operand) refuse_query(unknown_field_message(entity, name));
    if (operand->kind == FieldKind::kValue) {  // compared with strings only
      std::string json;
      append_json_string(json, text);
      select.add_condition(fmt::format("bk_equal({}, {})", operand->sql, values.add(json)));
    } else {
      select.add_condition(fmt::format("{} = {}", operand->sql, values.add(text)));
    }
  }
  if (context.distinct_times) {
    const auto [start, end] = *context.distinct_times;
    select.add_condition(distinct_resources_condition(start, end, values));
  }
  select.page(paging);
  return finish(select, entity, context, values);
}

CompiledQuery compile_root_query(const DataNode& query, const Paging& paging) {
  if (!is_operation(query, "from")) refuse_root_query();
  if (query.items().size() < 2 || !query.items()[1].is(DataKind::kString)) refuse_root_query();
  const Entity& entity = from_entity(query);
  SqlValues values;
  ConditionCompiler conditions(values);
  SelectCompiler select(conditions, entity);
  read_from(select, query);
  select.page(paging);
  QueryContext context;
  context.hides_inactive = true;
  return finish(select, entity, context, values);
}

std::string compile_condition(const Entity& entity, const DataNode& query, SqlValues& values) {
  return ConditionCompiler(values).condition(entity, query);
}

}  // namespace bunraku::store
