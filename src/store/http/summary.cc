// /pdb/admin/v1/summary-stats.
#include "store/http/summary.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/formats/json.h"
#include "store/http/api.h"

namespace bunraku::store {
namespace {

// A query for pairs of a value and its frequency, sorted by value.
struct Distribution {
  std::string_view name;
  std::string_view sql;
};
constexpr std::array<Distribution, 4> kDistributions{{
    {"num_resources_per_node",
     "SELECT resource_count, count(*) FROM catalog GROUP BY resource_count ORDER BY "
     "resource_count"},
    {"num_resources_per_file",
     "SELECT k, count(*) FROM (SELECT count(*) AS k FROM catalog_resource WHERE file_id IS NOT "
     "NULL "
     "GROUP BY file_id) s GROUP BY k ORDER BY k"},
    {"file_resources_per_catalog",
     "SELECT k, count(*) FROM (SELECT count(*) AS k FROM catalog_resource r JOIN resource_content "
     "c "
     "ON c.id = r.content_id WHERE c.type = 'File' GROUP BY r.node_id) s GROUP BY k ORDER BY k"},
    {"file_resources_per_catalog_with_source",
     "SELECT k, count(*) FROM (SELECT count(*) AS k FROM catalog_resource r JOIN resource_content "
     "c "
     "ON c.id = r.content_id WHERE c.type = 'File' AND bk_at(c.parameters, '[\"source\"]') IS NOT "
     "NULL GROUP BY r.node_id) s GROUP BY k ORDER BY k"},
}};

// The sizes in the store, which are compressed.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kSizes{
    {{"report_metric_size_dist", "metrics"}, {"report_log_size_dist", "logs"}}};

// For PostgreSQL: one row each.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kUsages{
    {{"table_usage", "SELECT row_to_json(s) FROM pg_stat_user_tables s ORDER BY relname"},
     {"index_usage", "SELECT row_to_json(s) FROM pg_stat_user_indexes s ORDER BY indexrelname"},
     {"database_usage",
      "SELECT row_to_json(s) FROM pg_stat_database s WHERE datname = current_database()"}}};

using Histogram = std::vector<std::pair<double, int64_t>>;

// The value at a position from 0 to `count` - 1 in the sorted list of all values.
double value_at(const Histogram& histogram, double place) {
  const auto nth = [&](int64_t index) {
    for (const auto& [value, count] : histogram) {
      if (index < count) return value;
      index -= count;
    }
    return histogram.back().first;
  };
  const double low = nth(static_cast<int64_t>(std::floor(place)));
  const double high = nth(static_cast<int64_t>(std::ceil(place)));
  return low + (high - low) * (place - std::floor(place));
}

void write_distribution(JsonWriter& json, Connection& connection, std::string_view name,
                        std::string_view sql) {
  Histogram histogram;
  int64_t total = 0;
  const auto rows = connection.query(sql);
  while (rows->next()) {
    histogram.emplace_back(static_cast<double>(rows->integer(0)), rows->integer(1));
    total += rows->integer(1);
  }
  json.key(name);
  json.begin_array();
  json.begin_object();
  json.key("quantiles");
  if (total == 0) {
    json.null();
  } else {
    constexpr int kSteps = 20;
    json.begin_array();
    for (int i = 0; i <= kSteps; ++i) {
      json.number(value_at(histogram, static_cast<double>(total - 1) * i / kSteps));
    }
    json.end_array();
  }
  json.end_object();
  json.end_array();
}

// Writes an array of objects, one for each row with these columns.
void write_rows(JsonWriter& json, Connection& connection, std::string_view name,
                std::string_view sql, std::initializer_list<std::string_view> columns) {
  json.key(name);
  json.begin_array();
  const auto rows = connection.query(sql);
  while (rows->next()) {
    json.begin_object();
    int column = 0;
    for (const std::string_view key : columns) json.member(key, rows->integer(column++));
    json.end_object();
  }
  json.end_array();
}

// The number of different edges, by their sources and targets with all parameters.
int64_t distinct_edges(Connection& connection) {
  std::vector<int64_t> nodes;
  {
    const auto rows = connection.query("SELECT node_id FROM catalog");
    while (rows->next()) nodes.push_back(rows->integer(0));
  }
  std::set<std::pair<int64_t, int64_t>> edges;
  for (const int64_t node : nodes) {
    std::map<std::pair<std::string, std::string>, int64_t> contents;
    const auto resources = connection.query(
        "SELECT c.type, c.title, c.id FROM catalog_resource r JOIN resource_content c ON c.id = "
        "r.content_id WHERE r.node_id = $1",
        {node});
    while (resources->next()) {
      contents.emplace(std::pair(resources->text(0), resources->text(1)), resources->integer(2));
    }
    const auto rows = connection.query(
        "SELECT g.source_type, g.source_title, g.target_type, g.target_title FROM catalog_edges c "
        "CROSS JOIN bk_edges(c.edges) g WHERE c.node_id = $1",
        {node});
    while (rows->next()) {
      const auto source =
          contents.find(std::pair<std::string, std::string>(rows->text(0), rows->text(1)));
      const auto target =
          contents.find(std::pair<std::string, std::string>(rows->text(2), rows->text(3)));
      if (source == contents.end() || target == contents.end()) continue;
      edges.emplace(source->second, target->second);
    }
  }
  return static_cast<int64_t>(edges.size());
}

void write_usages(JsonWriter& json, Connection& connection) {
  for (const auto& [name, sql] : kUsages) {
    json.key(name);
    json.begin_array();
    if (connection.dialect() == Dialect::kPostgres) {
      const auto rows = connection.query(sql);
      while (rows->next()) json.raw(rows->text(0));
    }
    json.end_array();
  }
}

void write_activity(JsonWriter& json, Connection& connection) {
  json.key("node_activity");
  json.begin_array();
  const auto rows = connection.query(
      "SELECT deactivated IS NULL AND expired IS NULL AS a, count(*) FROM node GROUP BY a ORDER BY "
      "a");
  while (rows->next()) {
    json.begin_object();
    json.member("count", rows->integer(1));
    json.key("active"), json.boolean(rows->boolean(0));
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::string summary_json(Store& store) {
  std::string text;
  store.read([&](Connection& connection) {
    text.clear();
    JsonWriter json(text);
    json.begin_object();
    json.member("version", kProtocolVersion);
    write_activity(json, connection);
    // As in PuppetDB, a structured fact counts as a path of its own, but its inner parts do not.
    write_rows(json, connection, "fact_path_counts_by_depth",
               "SELECT depth, count(*) FROM (SELECT depth FROM fact_path UNION ALL SELECT 0 FROM "
               "(SELECT DISTINCT name FROM fact_path WHERE depth > 0) f) p GROUP BY depth ORDER BY "
               "depth",
               {"depth", "count"});
    json.key("num_distinct_edges_source_target");
    json.begin_array();
    json.begin_object();
    json.member("count", distinct_edges(connection));
    json.end_object();
    json.end_array();
    for (const Distribution& distribution : kDistributions) {
      write_distribution(json, connection, distribution.name, distribution.sql);
    }
    const std::string size =
        connection.dialect() == Dialect::kPostgres ? "pg_column_size" : "length";
    for (const auto& [name, column] : kSizes) {
      write_distribution(json, connection, name,
                         fmt::format("SELECT {}({}) AS k, count(*) FROM report_body GROUP BY k "
                                     "ORDER BY k",
                                     size, column));
    }
    write_usages(json, connection);
    json.end_object();
  });
  return text;
}

}  // namespace bunraku::store
