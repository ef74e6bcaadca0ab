// Parameters of queries.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/formats/json.h"
#include "base/text/utf8.h"
#include "net/message_parser.h"
#include "net/url.h"
#include "store/http/responses.h"
#include "store/query/conditions.h"
#include "store/query/fields.h"
#include "store/query/pql.h"

namespace bunraku::store {
namespace {

int64_t whole_number(std::string_view text, std::string_view name) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_limit = name == "limit";
  if (error != std::errc() || end != text.data() + text.size() || value < (is_limit ? 1 : 0)) {
    refuse_query(fmt::format("Illegal value '{}' for :{}; expected a {} integer.", text, name,
                             is_limit ? "positive non-zero" : "non-negative"));
  }
  return value;
}

std::vector<OrderItem> read_order(const DataNode& node, std::string_view text) {
  const auto fail = [&]() {
    refuse_query(
        fmt::format("Illegal value '{}' for :order_by; expected a JSON array of maps.", text));
  };
  if (!node.is(DataKind::kArray)) fail();
  std::vector<OrderItem> order;
  for (const DataNode& item : node.items()) {
    const DataNode* field = item.find("field");
    if (field == nullptr || !field->is(DataKind::kString)) fail();
    OrderItem made;
    made.field = field->text_value();
    if (const DataNode* direction = item.find("order")) {
      const std::string word = downcase(plain_text(*direction));
      if (word != "asc" && word != "desc") {
        refuse_query(
            fmt::format("Illegal value '{}' in :order_by; 'order' must be either 'asc' or "
                        "'desc'",
                        plain_text(*direction)));
      }
      made.is_descending = word == "desc";
    }
    for (const DataEntry& entry : item.entries()) {
      const std::string_view key = entry.key.text_value();
      if (key != "field" && key != "order") {
        refuse_query(fmt::format("Illegal value '{}' in :order_by; unknown key '{}'", text, key));
      }
    }
    order.push_back(std::move(made));
  }
  return order;
}

DataNode json_parameter(std::string_view text, std::string_view name, Arena& arena) {
  try {
    return read_json(text, arena);
  } catch (const DataError&) {
    refuse_query(name == "order_by"
                     ? fmt::format("Illegal value '{}' for :order_by; expected a JSON array of "
                                   "maps.",
                                   text)
                     : fmt::format("Illegal value '{}' for :{}", text, name));
  }
}

std::chrono::milliseconds seconds(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 0) || value > 1e9) {
    refuse_query(
        fmt::format("Illegal value '{}' for :timeout; expected a number of seconds.", text));
  }
  return std::chrono::milliseconds(static_cast<int64_t>(value * 1000));
}

bool is_true(std::string_view text) {
  return downcase(text) == "true";
}

// Reads one parameter of a URL (a string), or of a body (any value).
void read_one(std::string_view name, const DataNode& value, QueryParameters& to) {
  to.names.emplace_back(name);
  const std::string text = plain_text(value);
  const bool is_string = value.is(DataKind::kString);
  const auto json = [&] { return is_string ? json_parameter(text, name, to.arena) : value; };
  if (name == "query") {
    if (is_string) {
      to.text = text;
    } else {
      to.tree = value;
    }
  } else if (name == "limit") {
    to.paging.limit = whole_number(text, name);
  } else if (name == "offset") {
    to.paging.offset = whole_number(text, name);
  } else if (name == "order_by") {
    to.paging.order = read_order(json(), text);
  } else if (name == "include_total") {
    to.counts_total = is_true(text);
  } else if (name == "pretty") {
    to.is_pretty = is_true(text);
  } else if (name == "include_facts_expiration") {
    to.shows_expiration = is_true(text);
  } else if (name == "include_package_inventory") {
    to.shows_packages = is_true(text);
  } else if (name == "ast_only") {
    to.shows_tree = is_true(text);
  } else if (name == "summarize_by") {
    to.summarize_by = text;
  } else if (name == "count_by") {
    to.count_by = text;
  } else if (name == "counts_filter") {
    to.counts_filter = json();
  } else if (name == "distinct_resources") {
    to.has_distinct_resources = is_true(text);
  } else if (name == "distinct_start_time") {
    to.distinct_start = text;
  } else if (name == "distinct_end_time") {
    to.distinct_end = text;
  } else if (name == "timeout") {
    to.timeout = seconds(text);
  } else {
    constexpr std::array<std::string_view, 5> kIgnored{
        "origin", "explain", "optimize_drop_unused_joins", "include_total_nodes",
        "optimize_indirect_drop"};
    if (std::ranges::find(kIgnored, name) == kIgnored.end()) {
      refuse_query(fmt::format("Unsupported query parameter '{}'", name));
    }
  }
}

}  // namespace

DataNode QueryParameters::query(bool takes_pql) {
  if (!text || (text->empty() && !takes_pql)) return tree;
  const size_t begin = std::min(text->find_first_not_of(" \t\r\n"), text->size());
  if (takes_pql && (*text)[begin] != '[') return parse_pql(*text, arena);
  return read_ast(*text, arena);
}

// Parameters that only some endpoints accept; all endpoints accept the others.
struct SpecialParameter {
  std::string_view name;
  std::array<std::string_view, 3> endpoints;
};
constexpr std::array<SpecialParameter, 7> kSpecialParameters{{
    {"ast_only", {"", "", ""}},
    {"summarize_by", {"event-counts", "aggregate-event-counts", "event-counts"}},
    {"count_by", {"event-counts", "aggregate-event-counts", "event-counts"}},
    {"counts_filter", {"event-counts", "aggregate-event-counts", "event-counts"}},
    {"distinct_resources", {"event-counts", "aggregate-event-counts", "events"}},
    {"distinct_start_time", {"event-counts", "aggregate-event-counts", "events"}},
    {"distinct_end_time", {"event-counts", "aggregate-event-counts", "events"}},
}};
constexpr std::array<std::string_view, 4> kPagingParameters{"limit", "offset", "order_by",
                                                            "include_total"};

void check_parameters(const QueryParameters& parameters, std::string_view endpoint) {
  for (const std::string& name : parameters.names) {
    const auto special = std::ranges::find(kSpecialParameters, name, &SpecialParameter::name);
    const bool is_known =
        special == kSpecialParameters.end() ||
        std::ranges::find(special->endpoints, endpoint) != special->endpoints.end();
    const bool is_paging = std::ranges::find(kPagingParameters, name) != kPagingParameters.end();
    if (!is_known || (is_paging && endpoint == "aggregate-event-counts")) {
      refuse_query(fmt::format("Unsupported query parameter '{}'", name));
    }
  }
}

net::Response text_response(int status, std::string text) {
  net::Response response;
  response.status = status;
  response.fields.add("Content-Type", "text/plain;charset=utf-8");
  response.body = std::move(text);
  return response;
}

net::Response json_response(int status, std::string json) {
  net::Response response;
  response.status = status;
  response.fields.add("Content-Type", "application/json;charset=utf-8");
  response.body = std::move(json);
  return response;
}

net::Response error_response(int status, std::string_view message) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.member("error", replace_invalid_utf8(message));
  json.end_object();
  return json_response(status, std::move(text));
}

std::optional<std::vector<std::string>> path_segments(std::string_view path) {
  std::vector<std::string> segments;
  while (!path.empty()) {
    path.remove_prefix(1);
    const size_t end = std::min(path.find('/'), path.size());
    std::optional<std::string> segment = net::decode_percent(path.substr(0, end));
    if (!segment || !is_valid_utf8(*segment)) return {};
    segments.push_back(std::move(*segment));
    path.remove_prefix(end);
  }
  if (!segments.empty() && segments.back().empty()) segments.pop_back();
  return segments;
}

void read_parameters(const net::Request& request, std::string_view query, QueryParameters& to) {
  try {
    for (const auto& [name, value] : net::parse_parameters(query)) {
      read_one(name, DataNode::text(DataKind::kString, to.arena.copy(value)), to);
    }
  } catch (const net::BadMessage& error) {
    throw RequestError(400, error.what());
  }
  if (request.method != "POST") return;
  if (!request.fields.get("Content-Type").starts_with("application/json")) {
    throw RequestError(
        415, fmt::format("content type {} not supported", request.fields.get("Content-Type")));
  }
  DataNode body;
  try {
    body = read_json(request.body, to.arena);
  } catch (const DataError& error) {
    throw RequestError(400, fmt::format("Json parse error at line {}, column {}:\n\n{}",
                                        error.line(), error.column(), error.what()));
  }
  if (!body.is(DataKind::kHash)) throw RequestError(400, "The body must be a JSON object");
  for (const DataEntry& entry : body.entries()) {
    if (!entry.value.is(DataKind::kNull)) read_one(entry.key.text_value(), entry.value, to);
  }
}

}  // namespace bunraku::store
