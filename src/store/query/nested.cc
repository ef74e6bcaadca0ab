// Facts of factsets, resources and edges of catalogs, contents of reports.
#include "store/query/nested.h"

#include <fmt/format.h>

#include <string>

#include "store/time_text.h"

namespace bunraku::store {
namespace {

constexpr std::string_view kRoot = "/pdb/query/v4";

void text_or_null(JsonWriter& json, const Rows& rows, int column) {
  if (rows.is_null(column)) {
    json.null();
  } else {
    json.string(rows.text(column));
  }
}

void raw_or_null(JsonWriter& json, const Rows& rows, int column) {
  json.raw(rows.is_null(column) ? "null" : rows.text(column));
}

std::string certname_of(Connection& connection, int64_t node) {
  const auto rows = connection.query("SELECT certname FROM node WHERE id = $1", {node});
  return rows->next() ? std::string(rows->text(0)) : "";
}

std::string report_hash(Connection& connection, int64_t report) {
  const auto rows = connection.query("SELECT hash FROM report WHERE id = $1", {report});
  return rows->next() ? std::string(rows->text(0)) : "";
}

void write_fact_list(JsonWriter& json, Connection& connection, int64_t node) {
  const auto rows =
      connection.query("SELECT name, value FROM fact WHERE node_id = $1 ORDER BY name", {node});
  json.begin_array();
  while (rows->next()) {
    json.begin_object();
    json.member("name", rows->text(0));
    json.key("value"), json.raw(rows->text(1));
    json.end_object();
  }
  json.end_array();
}

void write_inputs(JsonWriter& json, Connection& connection, int64_t node) {
  const auto rows = connection.query(
      "SELECT type, name FROM catalog_input WHERE node_id = $1 ORDER BY type, name", {node});
  json.begin_array();
  while (rows->next()) {
    json.begin_array();
    json.string(rows->text(0));
    json.string(rows->text(1));
    json.end_array();
  }
  json.end_array();
}

void write_packages(JsonWriter& json, Connection& connection, int64_t node) {
  const auto rows = connection.query(
      "SELECT p.name, p.version, p.provider FROM node_package np JOIN package p ON p.id = "
      "np.package_id WHERE np.node_id = $1 ORDER BY p.name, p.version, p.provider",
      {node});
  json.begin_array();
  while (rows->next()) {
    json.begin_array();
    for (const int column : {0, 1, 2}) json.string(rows->text(column));
    json.end_array();
  }
  json.end_array();
}

// Writes null instead of an empty array when there are no events, as clients expect.
void write_events(JsonWriter& json, Connection& connection, int64_t report) {
  const auto rows = connection.query(
      "SELECT status, timestamp, resource_type, resource_title, property, name, new_value, "
      "old_value, message, file, line, containment_path, containing_class, corrective_change FROM "
      "event WHERE report_id = $1 ORDER BY number",
      {report});
  if (!rows->next()) return json.null();
  json.begin_array();
  do {
    json.begin_object();
    json.member("status", rows->text(0));
    json.member("timestamp", database_time_text(rows->integer(1)));
    json.member("resource_type", rows->text(2));
    json.member("resource_title", rows->text(3));
    json.key("property"), text_or_null(json, *rows, 4);
    json.key("name"), text_or_null(json, *rows, 5);
    json.key("new_value"), raw_or_null(json, *rows, 6);
    json.key("old_value"), raw_or_null(json, *rows, 7);
    json.key("message"), text_or_null(json, *rows, 8);
    json.key("file"), text_or_null(json, *rows, 9);
    json.key("line"), raw_or_null(json, *rows, 10);
    json.key("containment_path"), raw_or_null(json, *rows, 11);
    json.key("containing_class"), text_or_null(json, *rows, 12);
    json.key("corrective_change");
    if (rows->is_null(13)) {
      json.null();
    } else {
      json.boolean(rows->boolean(13));
    }
    json.end_object();
  } while (rows->next());
  json.end_array();
}

void write_body(JsonWriter& json, Connection& connection, std::string_view column, int64_t report) {
  const auto rows = connection.query(
      fmt::format("SELECT bk_unpack({}) FROM report_body WHERE report_id = $1", column), {report});
  json.raw(rows->next() ? rows->text(0) : "[]");
}

}  // namespace

void write_facts_object(JsonWriter& json, Connection& connection, int64_t node) {
  const auto rows =
      connection.query("SELECT name, value FROM fact WHERE node_id = $1 ORDER BY name", {node});
  json.begin_object();
  while (rows->next()) {
    json.key(rows->text(0));
    json.raw(rows->text(1));
  }
  json.end_object();
}

void write_catalog_resources(JsonWriter& json, Connection& connection, int64_t node) {
  const auto rows = connection.query(
      "SELECT c.identity, c.type, c.title, t.tags, r.exported, f.name, r.line, c.parameters FROM "
      "catalog_resource r JOIN resource_content c ON c.id = r.content_id JOIN tag_set t ON t.id = "
      "r.tag_set_id LEFT JOIN file f ON f.id = r.file_id WHERE r.node_id = $1 ORDER BY c.type, "
      "c.title",
      {node});
  json.begin_array();
  while (rows->next()) {
    json.begin_object();
    json.member("resource", rows->text(0));
    json.member("type", rows->text(1));
    json.member("title", rows->text(2));
    json.key("tags"), json.raw(rows->text(3));
    json.key("exported"), json.boolean(rows->boolean(4));
    json.key("file"), text_or_null(json, *rows, 5);
    json.key("line"), raw_or_null(json, *rows, 6);
    json.key("parameters"), json.raw(rows->text(7));
    json.end_object();
  }
  json.end_array();
}

void write_catalog_edges(JsonWriter& json, Connection& connection, int64_t node) {
  const auto rows = connection.query(
      "SELECT g.relationship, g.source_type, g.source_title, g.target_type, g.target_title FROM "
      "catalog_edges c CROSS JOIN bk_edges(c.edges) g WHERE c.node_id = $1",
      {node});
  json.begin_array();
  while (rows->next()) {
    json.begin_object();
    json.member("relationship", rows->text(0));
    json.member("source_type", rows->text(1));
    json.member("source_title", rows->text(2));
    json.member("target_type", rows->text(3));
    json.member("target_title", rows->text(4));
    json.end_object();
  }
  json.end_array();
}

void write_nested(JsonWriter& json, Connection& connection, Nested nested, int64_t key) {
  const auto within = [&](auto write, const std::string& href) {
    json.begin_object();
    json.key("data");
    write(json, connection, key);
    json.member("href", std::string(kRoot) + href);
    json.end_object();
  };
  switch (nested) {
    case Nested::kNone:
      return json.null();
    case Nested::kCatalogInputs:
      return write_inputs(json, connection, key);
    case Nested::kPackageInventory:
      return write_packages(json, connection, key);
    case Nested::kFactsetFacts:
      return within(write_fact_list,
                    fmt::format("/factsets/{}/facts", certname_of(connection, key)));
    case Nested::kCatalogResources:
      return within(write_catalog_resources,
                    fmt::format("/catalogs/{}/resources", certname_of(connection, key)));
    case Nested::kCatalogEdges:
      return within(write_catalog_edges,
                    fmt::format("/catalogs/{}/edges", certname_of(connection, key)));
    case Nested::kReportEvents:
      return within(write_events, fmt::format("/reports/{}/events", report_hash(connection, key)));
    case Nested::kReportLogs:
      return within(
          [](JsonWriter& to, Connection& from, int64_t id) { write_body(to, from, "logs", id); },
          fmt::format("/reports/{}/logs", report_hash(connection, key)));
    case Nested::kReportMetrics:
      return within(
          [](JsonWriter& to, Connection& from, int64_t id) { write_body(to, from, "metrics", id); },
          fmt::format("/reports/{}/metrics", report_hash(connection, key)));
  }
}

}  // namespace bunraku::store
