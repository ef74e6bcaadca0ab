// Makes the SQL that counts events.
#include "store/query/event_counts.h"

#include <fmt/format.h>

#include <array>

#include "store/query/conditions.h"
#include "store/query/fields.h"

namespace bunraku::store {
namespace {

struct Subject {
  std::string_view name;
  std::string_view columns;    // of the events
  std::string_view condition;  // the condition for events that have the subject
};
constexpr std::array<Subject, 3> kSubjects{
    {{"certname", "n.certname AS title, NULL AS type", "1 = 1"},
     {"resource", "v.resource_title AS title, v.resource_type AS type", "1 = 1"},
     {"containing_class", "v.containing_class AS title, NULL AS type", "1 = 1"}}};

const Subject& subject_of(const std::string& name) {
  for (const Subject& subject : kSubjects) {
    if (subject.name == name) return subject;
  }
  refuse_query(fmt::format("Unsupported value for 'summarize_by': '{}'", name));
}

constexpr std::array<std::string_view, 4> kCounts{"failures", "skips", "successes", "noops"};
constexpr std::array<std::string_view, 4> kStatuses{"failure", "skipped", "success", "noop"};

// Compiles a filter of counts, whose fields are the four counts.
std::string counts_condition(const DataNode& node, SqlValues& values) {
  if (!node.is(DataKind::kArray) || node.items().empty() ||
      !node.items()[0].is(DataKind::kString)) {
    refuse_query(fmt::format("{} is not well-formed: queries must contain at least one operator",
                             ast_text(node)));
  }
  const std::string_view op = node.items()[0].text_value();
  const std::span<const DataNode> parts = node.items().subspan(1);
  if (op == "and" || op == "or" || op == "not") {
    if (parts.empty() || (op == "not" && parts.size() != 1)) {
      refuse_query(fmt::format("'{}' takes another number of arguments", op));
    }
    std::string sql = op == "not" ? "NOT (" : "(";
    for (size_t i = 0; i < parts.size(); ++i) {
      if (i > 0) sql += op == "and" ? " AND " : " OR ";
      sql += counts_condition(parts[i], values);
    }
    return sql + ")";
  }
  const bool is_comparison = op == "=" || op == "<" || op == ">" || op == "<=" || op == ">=";
  if (!is_comparison) {
    refuse_query(
        fmt::format("{} is not well-formed: query operator '{}' is unknown", ast_text(node), op));
  }
  if (parts.size() != 2) refuse_query(fmt::format("{} requires exactly two arguments", op));
  for (const std::string_view count : kCounts) {
    if (!parts[0].is(DataKind::kString) || parts[0].text_value() != count) continue;
    if (!parts[1].is(DataKind::kInteger)) {
      refuse_query(fmt::format("Argument \"{}\" is incompatible with numeric field \"{}\".",
                               plain_text(parts[1]), count));
    }
    return fmt::format("{} {} {}", count, op, values.add(parts[1].integer_value()));
  }
  refuse_query(fmt::format("{} is not a queryable object for event counts", plain_text(parts[0])));
}

// SELECT of title, type, failures, skips, successes and noops of each subject.
std::string counts_sql(const EventCountQuery& query, SqlValues& values) {
  const Subject& subject = subject_of(query.subject);
  const Entity& events = *find_entity("events");
  std::string where(subject.condition);
  if (!query.query.is(DataKind::kNull)) {
    where += " AND " + compile_condition(events, query.query, values);
  }
  if (query.distinct_times) {
    const auto [start, end] = *query.distinct_times;
    where += " AND " + distinct_resources_condition(start, end, values);
  }
  if (query.hides_inactive && !speaks_of_activity(query.query)) {
    where += fmt::format(" AND {}", kIsActive);
  }
  std::string events_sql = fmt::format(
      "SELECT {}{}, v.status AS status{} FROM {} WHERE {}", query.counts_by_node ? "DISTINCT " : "",
      subject.columns, query.counts_by_node ? ", n.certname AS node" : "", events.from, where);
  std::string counts;
  for (size_t i = 0; i < kCounts.size(); ++i) {
    counts += fmt::format(", sum(CASE WHEN status = '{}' THEN 1 ELSE 0 END) AS {}", kStatuses[i],
                          kCounts[i]);
  }
  std::string sql =
      fmt::format("SELECT title, type{} FROM ({}) events GROUP BY title, type", counts, events_sql);
  if (query.counts_filter.is(DataKind::kNull)) return sql;
  return fmt::format("SELECT * FROM ({}) counts WHERE {}", sql,
                     counts_condition(query.counts_filter, values));
}

}  // namespace

CompiledQuery compile_event_counts(const EventCountQuery& query, const Paging& paging) {
  SqlValues values;
  const std::string counts = counts_sql(query, values);
  CompiledQuery made;
  made.count_sql = fmt::format("SELECT count(*) FROM ({}) q", counts);
  made.sql =
      fmt::format("SELECT title, type, failures, skips, successes, noops FROM ({}) q", counts);
  std::string order;
  for (const OrderItem& item : paging.order) {
    std::string_view column;
    for (const std::string_view count : kCounts) {
      if (item.field == count) column = count;
    }
    if (item.field == "certname" || item.field == "resource_title" ||
        item.field == "containing_class" || item.field == "subject_title") {
      column = "title";
    }
    if (column.empty()) {
      refuse_query(fmt::format("Unrecognized column '{}' specified in :order_by", item.field));
    }
    order += fmt::format("{}{}{}", order.empty() ? " ORDER BY " : ", ", column,
                         item.is_descending ? " DESC" : "");
  }
  made.sql += order.empty() ? " ORDER BY title, type" : order;
  if (paging.limit) made.sql += fmt::format(" LIMIT {}", *paging.limit);
  if (paging.offset && !paging.limit) made.sql += fmt::format(" LIMIT {}", INT64_MAX);
  if (paging.offset) made.sql += fmt::format(" OFFSET {}", *paging.offset);
  made.values = values.take();
  made.columns = {{"title", FieldKind::kText},       {"type", FieldKind::kText},
                  {"failures", FieldKind::kNumber},  {"skips", FieldKind::kNumber},
                  {"successes", FieldKind::kNumber}, {"noops", FieldKind::kNumber}};
  return made;
}

CompiledQuery compile_aggregate_event_counts(const EventCountQuery& query) {
  SqlValues values;
  const std::string counts = counts_sql(query, values);
  CompiledQuery made;
  std::string columns;
  for (const std::string_view count : kCounts) {
    columns += fmt::format("coalesce(sum(CASE WHEN {0} > 0 THEN 1 ELSE 0 END), 0) AS {0}, ", count);
    made.columns.push_back({std::string(count), FieldKind::kNumber});
  }
  made.sql = fmt::format("SELECT {}count(*) AS total FROM ({}) q", columns, counts);
  made.count_sql = made.sql;
  made.columns.push_back({"total", FieldKind::kNumber});
  made.values = values.take();
  return made;
}

}  // namespace bunraku::store
