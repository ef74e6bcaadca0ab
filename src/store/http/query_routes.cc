// The routes of /pdb/query/v4.
#include <fmt/format.h>

#include <array>

#include "base/formats/json.h"
#include "store/http/responses.h"
#include "store/query/conditions.h"
#include "store/query/event_counts.h"
#include "store/query/fields.h"
#include "store/time_text.h"

namespace bunraku::store {
namespace {

using Segments = std::vector<std::string>;

struct Endpoint {
  std::string_view path;
  std::string_view entity;
  bool hides_inactive;
  // The fields that further segments of the path are compared with.
  std::array<std::string_view, 2> fields;
};
constexpr std::array<Endpoint, 15> kEndpoints{{
    {"facts", "facts", true, {"name", "value"}},
    {"fact-paths", "fact_paths", false, {}},
    {"fact-contents", "fact_contents", true, {}},
    {"factsets", "factsets", true, {}},
    {"inventory", "inventory", true, {}},
    {"nodes", "nodes", true, {}},
    {"resources", "resources", true, {"type", "title"}},
    {"edges", "edges", true, {}},
    {"catalogs", "catalogs", false, {}},
    {"reports", "reports", false, {}},
    {"events", "events", false, {}},
    {"environments", "environments", false, {}},
    {"producers", "producers", false, {}},
    {"packages", "packages", false, {}},
    {"package-inventory", "package_inventory", true, {"certname", ""}},
}};

// A named object in a path, which has subordinate paths.
struct Parent {
  std::string_view path;    // "nodes"
  std::string_view word;    // "node"
  std::string_view entity;  // the entity whose rows are the objects
  std::string_view field;   // the field with the objects' names
  std::string_view exists;  // SQL: whether the object exists
};
constexpr std::array<Parent, 6> kParents{{
    {"nodes", "node", "nodes", "certname", "SELECT 1 FROM node WHERE certname = $1"},
    {"catalogs", "catalog", "catalogs", "certname",
     "SELECT 1 FROM catalog c JOIN node n ON n.id = c.node_id WHERE n.certname = $1"},
    {"factsets", "factset", "factsets", "certname",
     "SELECT 1 FROM factset f JOIN node n ON n.id = f.node_id WHERE n.certname = $1"},
    {"environments", "environment", "environments", "name",
     "SELECT 1 FROM environment WHERE name = $1"},
    {"producers", "producer", "producers", "name", "SELECT 1 FROM producer WHERE name = $1"},
    {"reports", "report", "reports", "hash", "SELECT 1 FROM report WHERE hash = $1"},
}};

// A subordinate path: "/nodes/C/facts".
struct Child {
  std::string_view parent, path, entity, link;
};
constexpr std::array<Child, 14> kChildren{{
    {"nodes", "facts", "facts", "certname"},
    {"nodes", "resources", "resources", "certname"},
    {"catalogs", "resources", "resources", "certname"},
    {"catalogs", "edges", "edges", "certname"},
    {"factsets", "facts", "facts", "certname"},
    {"environments", "facts", "facts", "environment"},
    {"environments", "resources", "resources", "environment"},
    {"environments", "reports", "reports", "environment"},
    {"environments", "events", "events", "environment"},
    {"producers", "factsets", "factsets", "producer"},
    {"producers", "catalogs", "catalogs", "producer"},
    {"producers", "reports", "reports", "producer"},
    {"reports", "events", "events", "report"},
    {"", "", "", ""},
}};

class QueryRequest {
 public:
  QueryRequest(Store& store, const net::Request& request, const AnswerLimits& limits)
      : store_(store), request_(request), limits_(limits) {}

  net::Response answer(const Segments& segments, std::string_view query);

 private:
  net::Response answer_root();
  net::Response answer_list(const Entity& entity, QueryContext context);
  net::Response answer_single(const Parent& parent, const std::string& name);
  net::Response answer_below(const Parent& parent, const Segments& segments);
  net::Response answer_report_part(const std::string& hash, std::string_view column);
  net::Response answer_fact_names();
  net::Response answer_event_counts(bool is_aggregate);
  std::optional<std::pair<int64_t, int64_t>> distinct_times() const;
  net::Response send(const CompiledQuery& query);
  net::Response finish(Answer answer) const;

  Store& store_;
  const net::Request& request_;
  AnswerLimits limits_;
  QueryParameters parameters_;
};

net::Response not_found(std::string_view word, std::string_view name) {
  return error_response(404, fmt::format("No information is known about {} {}", word, name));
}

std::string pretty(std::string_view json) {
  Arena arena;
  std::string text;
  JsonWriter(text, JsonForm::kPretty).data(read_json(json, arena));
  return text;
}

net::Response QueryRequest::finish(Answer answer) const {
  net::Response response =
      json_response(200, parameters_.is_pretty ? pretty(answer.json) : std::move(answer.json));
  if (answer.total) response.fields.add("X-Records", std::to_string(*answer.total));
  return response;
}

net::Response QueryRequest::send(const CompiledQuery& query) {
  return finish(answer_query(store_, query, parameters_.counts_total, limits_));
}

net::Response QueryRequest::answer_root() {
  if (!parameters_.text && parameters_.tree.is(DataKind::kNull)) {
    refuse_query("Missing required query parameter 'query'");
  }
  const DataNode tree = parameters_.query(true);
  const CompiledQuery query = compile_root_query(tree, parameters_.paging);
  if (parameters_.shows_tree) return json_response(200, json_of(tree));
  return send(query);
}

net::Response QueryRequest::answer_list(const Entity& entity, QueryContext context) {
  if (parameters_.shows_expiration && entity.name == "nodes") {
    context.extra_fields = {"expires_facts", "expires_facts_updated"};
  }
  if (parameters_.shows_packages && entity.name == "factsets") {
    context.extra_fields = {"package_inventory"};
  }
  const DataNode tree = parameters_.query(false);
  context.distinct_times = distinct_times();
  return send(compile_query(entity, tree, parameters_.paging, context));
}

net::Response QueryRequest::answer_single(const Parent& parent, const std::string& name) {
  QueryContext context;
  context.conditions.emplace_back(parent.field, name);
  if (parameters_.shows_expiration && parent.path == "nodes") {
    context.extra_fields = {"expires_facts", "expires_facts_updated"};
  }
  const CompiledQuery query = compile_query(*find_entity(parent.entity), DataNode(), {}, context);
  const Answer answer = answer_query(store_, query, false, limits_);
  if (answer.json == "[]") return not_found(parent.word, name);
  Arena arena;
  std::string text;
  JsonWriter(text, JsonForm::kPretty).data(read_json(answer.json, arena).items()[0]);
  return json_response(200, std::move(text));
}

net::Response QueryRequest::answer_report_part(const std::string& hash, std::string_view column) {
  std::optional<std::string> json;
  store_.read([&](Connection& connection) {
    const auto rows = connection.query(
        fmt::format("SELECT bk_unpack(b.{}) FROM report r JOIN report_body b ON b.report_id = r.id "
                    "WHERE r.hash = $1",
                    column),
        {hash});
    if (rows->next()) json = rows->text(0);
  });
  if (!json) return not_found("report", hash);
  return json_response(200, std::move(*json));
}

net::Response QueryRequest::answer_below(const Parent& parent, const Segments& segments) {
  const std::string& name = segments[1];
  bool is_known = false;
  store_.read(
      [&](Connection& connection) { is_known = connection.query(parent.exists, {name})->next(); });
  if (!is_known) return not_found(parent.word, name);
  if (parent.path == "reports" && (segments[2] == "logs" || segments[2] == "metrics")) {
    return answer_report_part(name, segments[2]);
  }
  for (const Child& child : kChildren) {
    if (child.parent != parent.path || child.path != segments[2]) continue;
    QueryContext context;
    context.conditions.emplace_back(child.link, name);
    const std::array<std::string_view, 2> fields =
        child.entity == "facts" ? std::array<std::string_view, 2>{"name", "value"}
                                : std::array<std::string_view, 2>{"type", "title"};
    const bool has_more = child.entity == "facts" || child.entity == "resources";
    if (segments.size() > (has_more ? 5 : 3)) break;
    for (size_t i = 3; i < segments.size(); ++i) {
      context.conditions.emplace_back(fields[i - 3], segments[i]);
    }
    context.hides_inactive = parent.path == "environments" && has_more;
    return answer_list(*find_entity(child.entity), context);
  }
  return text_response(404, "Not Found");
}

net::Response QueryRequest::answer_fact_names() {
  const DataNode filter = parameters_.query(false);
  SqlValues values;
  CompiledQuery query;
  query.sql = "SELECT DISTINCT fp.name FROM fact_path fp";
  if (!filter.is(DataKind::kNull)) {
    query.sql += " WHERE " + compile_condition(*find_entity("fact_paths"), filter, values);
  }
  query.values = values.take();
  query.count_sql = fmt::format("SELECT count(*) FROM ({}) q", query.sql);
  bool is_descending = false;
  for (const OrderItem& item : parameters_.paging.order) {
    if (item.field != "name") {
      refuse_query(fmt::format(
          "Unrecognized column '{}' specified in :order_by; Supported columns are 'name'",
          item.field));
    }
    is_descending = item.is_descending;
  }
  query.sql += is_descending ? " ORDER BY name DESC" : " ORDER BY name";
  if (parameters_.paging.limit || parameters_.paging.offset) {
    query.sql += fmt::format(" LIMIT {} OFFSET {}", parameters_.paging.limit.value_or(INT64_MAX),
                             parameters_.paging.offset.value_or(0));
  }
  Answer answer;
  store_.read([&](Connection& connection) {
    answer = {};
    if (parameters_.counts_total) {
      const auto rows = connection.query_once(query.count_sql, query.values, limits_.timeout);
      answer.total = rows->next() ? rows->integer(0) : 0;
    }
    JsonWriter json(answer.json);
    json.begin_array();
    const auto rows = connection.query_once(query.sql, query.values, limits_.timeout);
    while (rows->next()) json.string(rows->text(0));
    json.end_array();
  });
  return finish(std::move(answer));
}

// Writes the rows of counts as objects.
void write_count_rows(std::string& to, const std::string& json_rows, const std::string& subject) {
  Arena arena;
  const DataNode rows = read_json(json_rows, arena);
  JsonWriter json(to);
  json.begin_array();
  for (const DataNode& row : rows.items()) {
    json.begin_object();
    json.member("subject_type", subject);
    json.key("subject");
    json.begin_object();
    json.key("title"), json.data(*row.find("title"));
    if (subject == "resource") json.key("type"), json.data(*row.find("type"));
    json.end_object();
    for (const std::string_view count : {"failures", "skips", "successes", "noops"}) {
      json.key(count), json.data(*row.find(count));
    }
    json.end_object();
  }
  json.end_array();
}

// The interval for distinct resources, in which only the newest event of each resource and property
// counts.
std::optional<std::pair<int64_t, int64_t>> QueryRequest::distinct_times() const {
  if (!parameters_.has_distinct_resources) {
    if (!parameters_.distinct_start && !parameters_.distinct_end) return {};
    refuse_query(
        "'distinct_resources' query parameter must accompany parameters 'distinct_start_time' and "
        "'distinct_end_time'");
  }
  if (!parameters_.distinct_start || !parameters_.distinct_end) {
    refuse_query(
        "'distinct_resources' query parameter requires accompanying parameters "
        "'distinct_start_time' and 'distinct_end_time'");
  }
  const auto start = parse_time(*parameters_.distinct_start);
  const auto end = parse_time(*parameters_.distinct_end);
  if (!start || !end) {
    refuse_query(
        fmt::format("query parameters 'distinct_start_time' and 'distinct_end_time' must be valid "
                    "datetime strings: {} {}",
                    *parameters_.distinct_start, *parameters_.distinct_end));
  }
  return std::pair(*start, *end);
}

net::Response QueryRequest::answer_event_counts(bool is_aggregate) {
  if (!parameters_.summarize_by) {
    refuse_query("Missing required query parameter 'summarize_by'");
  }
  EventCountQuery query;
  query.query = parameters_.query(false);
  query.counts_filter = parameters_.counts_filter;
  const std::string count_by = parameters_.count_by.value_or("resource");
  if (count_by != "resource" && count_by != "certname") {
    refuse_query(fmt::format("Unsupported value for 'count_by': '{}'", count_by));
  }
  query.counts_by_node = count_by == "certname";
  query.distinct_times = distinct_times();
  if (!is_aggregate) {
    query.subject = *parameters_.summarize_by;
    Answer answer = answer_query(store_, compile_event_counts(query, parameters_.paging),
                                 parameters_.counts_total, limits_);
    std::string rows;
    write_count_rows(rows, answer.json, query.subject);
    answer.json = std::move(rows);
    return finish(std::move(answer));
  }
  std::string text;
  JsonWriter json(text);
  json.begin_array();
  std::string_view rest = *parameters_.summarize_by;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(','), rest.size());
    query.subject = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const Answer answer =
        answer_query(store_, compile_aggregate_event_counts(query), false, limits_);
    Arena arena;
    json.begin_object();
    json.member("summarize_by", query.subject);
    for (const DataEntry& entry : read_json(answer.json, arena).items()[0].entries()) {
      json.key(entry.key.text_value());
      json.data(entry.value);
    }
    json.end_object();
  }
  json.end_array();
  return json_response(200, std::move(text));
}

net::Response QueryRequest::answer(const Segments& segments, std::string_view query) {
  if (request_.method != "GET" && request_.method != "POST") {
    return text_response(400, "PuppetDB queries must be made via GET/POST");
  }
  read_parameters(request_, query, parameters_);
  check_parameters(parameters_, segments.empty() ? "" : segments.back());
  if (parameters_.timeout && parameters_.timeout->count() > 0) {
    limits_.timeout = std::min(limits_.timeout, *parameters_.timeout);
  }
  if (segments.empty()) return answer_root();
  const std::string& first = segments[0];
  if (segments.size() == 1) {
    if (first == "fact-names") return answer_fact_names();
    if (first == "event-counts") return answer_event_counts(false);
    if (first == "aggregate-event-counts") return answer_event_counts(true);
    if (first == "catalog-inputs" || first == "catalog-input-contents") {
      QueryContext context;
      context.hides_inactive = true;
      return answer_list(
          *find_entity(first == "catalog-inputs" ? "catalog_inputs" : "catalog_input_contents"),
          context);
    }
  }
  for (const Parent& parent : kParents) {
    if (parent.path != first || segments.size() < 2) continue;
    if (segments.size() > 2) return answer_below(parent, segments);
    if (first != "reports") return answer_single(parent, segments[1]);
  }
  for (const Endpoint& endpoint : kEndpoints) {
    if (endpoint.path != first) continue;
    QueryContext context;
    context.hides_inactive = endpoint.hides_inactive;
    for (size_t i = 1; i < segments.size(); ++i) {
      if (i > 2 || endpoint.fields[i - 1].empty()) return text_response(404, "Not Found");
      context.conditions.emplace_back(endpoint.fields[i - 1], segments[i]);
    }
    if (first == "package-inventory" && segments.size() > 1) context.hides_inactive = false;
    return answer_list(*find_entity(endpoint.entity), context);
  }
  return text_response(404, "Not Found");
}

}  // namespace

net::Response answer_query_request(Store& store, const net::Request& request,
                                   const std::vector<std::string>& segments, std::string_view query,
                                   const AnswerLimits& limits) {
  return QueryRequest(store, request, limits).answer(segments, query);
}

}  // namespace bunraku::store
