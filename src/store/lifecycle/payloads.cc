// Makes commands from stored data.
#include "store/lifecycle/payloads.h"

#include "base/formats/json.h"
#include "store/query/nested.h"
#include "store/time_text.h"

namespace bunraku::store {
namespace {

void text(JsonWriter& json, std::string_view key, const Rows& rows, int column) {
  json.key(key);
  if (rows.is_null(column)) {
    json.null();
  } else {
    json.string(rows.text(column));
  }
}

void raw(JsonWriter& json, std::string_view key, const Rows& rows, int column) {
  json.key(key);
  json.raw(rows.is_null(column) ? "null" : rows.text(column));
}

void flag(JsonWriter& json, std::string_view key, const Rows& rows, int column) {
  json.key(key);
  if (rows.is_null(column)) {
    json.null();
  } else {
    json.boolean(rows.boolean(column));
  }
}

std::optional<std::string> facts_payload(Connection& connection, int64_t node,
                                         const std::string& certname) {
  const auto rows = connection.query(
      "SELECT e.name, p.name, f.producer_timestamp FROM factset f LEFT JOIN environment e ON e.id "
      "= f.environment_id LEFT JOIN producer p ON p.id = f.producer_id WHERE f.node_id = $1",
      {node});
  if (!rows->next()) return {};
  std::string made;
  JsonWriter json(made);
  json.begin_object();
  json.member("certname", certname);
  text(json, "environment", *rows, 0);
  text(json, "producer", *rows, 1);
  json.member("producer_timestamp", time_text(rows->integer(2)));
  json.key("values");
  write_facts_object(json, connection, node);
  json.key("package_inventory");
  write_nested(json, connection, Nested::kPackageInventory, node);
  json.end_object();
  return made;
}

// Writes resources without the ids that answers show.
void write_resources(JsonWriter& json, Connection& connection, int64_t node) {
  const auto rows = connection.query(
      "SELECT c.type, c.title, r.exported, t.tags, f.name, r.line, c.parameters FROM "
      "catalog_resource r JOIN resource_content c ON c.id = r.content_id JOIN tag_set t ON t.id = "
      "r.tag_set_id LEFT JOIN file f ON f.id = r.file_id WHERE r.node_id = $1 ORDER BY c.type, "
      "c.title",
      {node});
  json.begin_array();
  while (rows->next()) {
    json.begin_object();
    json.member("type", rows->text(0));
    json.member("title", rows->text(1));
    json.key("exported"), json.boolean(rows->boolean(2));
    json.key("tags"), json.raw(rows->text(3));
    text(json, "file", *rows, 4);
    raw(json, "line", *rows, 5);
    json.key("parameters"), json.raw(rows->text(6));
    json.end_object();
  }
  json.end_array();
}

void write_edges(JsonWriter& json, Connection& connection, int64_t node) {
  const auto rows = connection.query(
      "SELECT g.relationship, g.source_type, g.source_title, g.target_type, g.target_title FROM "
      "catalog_edges c CROSS JOIN bk_edges(c.edges) g WHERE c.node_id = $1",
      {node});
  json.begin_array();
  while (rows->next()) {
    json.begin_object();
    json.key("source");
    json.begin_object();
    json.member("type", rows->text(1));
    json.member("title", rows->text(2));
    json.end_object();
    json.key("target");
    json.begin_object();
    json.member("type", rows->text(3));
    json.member("title", rows->text(4));
    json.end_object();
    json.member("relationship", rows->text(0));
    json.end_object();
  }
  json.end_array();
}

void read_catalog(Connection& connection, int64_t node, const std::string& certname,
                  NodePayloads& payloads) {
  const auto rows = connection.query(
      "SELECT c.version, c.transaction_uuid, c.catalog_uuid, c.code_id, c.job_id, e.name, p.name, "
      "c.producer_timestamp FROM catalog c LEFT JOIN environment e ON e.id = c.environment_id LEFT "
      "JOIN producer p ON p.id = c.producer_id WHERE c.node_id = $1",
      {node});
  if (!rows->next()) return;
  std::string made;
  JsonWriter json(made);
  json.begin_object();
  json.member("certname", certname);
  text(json, "version", *rows, 0);
  text(json, "transaction_uuid", *rows, 1);
  text(json, "catalog_uuid", *rows, 2);
  text(json, "code_id", *rows, 3);
  text(json, "job_id", *rows, 4);
  text(json, "environment", *rows, 5);
  text(json, "producer", *rows, 6);
  payloads.catalog_timestamp = rows->integer(7);
  json.member("producer_timestamp", time_text(payloads.catalog_timestamp));
  json.key("resources");
  write_resources(json, connection, node);
  json.key("edges");
  write_edges(json, connection, node);
  json.end_object();
  payloads.catalog = std::move(made);
}

// Writes each event as a resource of its own, because the grouping by resource is not stored.
void write_report_events(JsonWriter& json, Connection& connection, int64_t report) {
  const auto rows = connection.query(
      "SELECT status, timestamp, resource_type, resource_title, property, name, new_value, "
      "old_value, message, file, line, containment_path, corrective_change FROM event WHERE "
      "report_id = $1 ORDER BY number",
      {report});
  json.begin_array();
  while (rows->next()) {
    const std::string timestamp = time_text(rows->integer(1));
    const bool is_skipped = rows->text(0) == "skipped";
    json.begin_object();
    json.key("skipped"), json.boolean(is_skipped);
    json.member("timestamp", timestamp);
    json.member("resource_type", rows->text(2));
    json.member("resource_title", rows->text(3));
    text(json, "file", *rows, 9);
    raw(json, "line", *rows, 10);
    json.key("containment_path");
    json.raw(rows->is_null(11) ? "[]" : rows->text(11));
    flag(json, "corrective_change", *rows, 12);
    json.key("events");
    json.begin_array();
    if (!is_skipped) {
      json.begin_object();
      json.member("status", rows->text(0));
      json.member("timestamp", timestamp);
      text(json, "property", *rows, 4);
      text(json, "name", *rows, 5);
      raw(json, "new_value", *rows, 6);
      raw(json, "old_value", *rows, 7);
      text(json, "message", *rows, 8);
      flag(json, "corrective_change", *rows, 12);
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

void read_reports(Connection& connection, int64_t node, const std::string& certname,
                  NodePayloads& payloads) {
  const auto rows = connection.query(
      "SELECT r.id, r.puppet_version, r.report_format, r.configuration_version, r.start_time, "
      "r.end_time, r.producer_timestamp, r.transaction_uuid, r.catalog_uuid, r.code_id, r.job_id, "
      "r.cached_catalog_status, e.name, p.name, r.status, r.type, r.noop, r.noop_pending, "
      "r.corrective_change, bk_unpack(b.logs), bk_unpack(b.metrics) FROM report r JOIN report_body "
      "b ON b.report_id = r.id LEFT JOIN environment e ON e.id = r.environment_id LEFT JOIN "
      "producer p ON p.id = r.producer_id WHERE r.node_id = $1 ORDER BY r.producer_timestamp",
      {node});
  while (rows->next()) {
    std::string made;
    JsonWriter json(made);
    json.begin_object();
    json.member("certname", certname);
    text(json, "puppet_version", *rows, 1);
    raw(json, "report_format", *rows, 2);
    text(json, "configuration_version", *rows, 3);
    json.member("start_time", time_text(rows->integer(4)));
    json.member("end_time", time_text(rows->integer(5)));
    json.member("producer_timestamp", time_text(rows->integer(6)));
    text(json, "transaction_uuid", *rows, 7);
    text(json, "catalog_uuid", *rows, 8);
    text(json, "code_id", *rows, 9);
    text(json, "job_id", *rows, 10);
    text(json, "cached_catalog_status", *rows, 11);
    text(json, "environment", *rows, 12);
    text(json, "producer", *rows, 13);
    text(json, "status", *rows, 14);
    text(json, "type", *rows, 15);
    flag(json, "noop", *rows, 16);
    flag(json, "noop_pending", *rows, 17);
    flag(json, "corrective_change", *rows, 18);
    json.key("logs"), json.raw(rows->text(19));
    json.key("metrics"), json.raw(rows->text(20));
    json.key("resources");
    write_report_events(json, connection, rows->integer(0));
    json.end_object();
    payloads.reports.emplace_back(rows->integer(6), std::move(made));
  }
}

void read_inputs(Connection& connection, int64_t node, const std::string& certname,
                 NodePayloads& payloads) {
  const auto rows = connection.query(
      "SELECT inputs_uuid, inputs_timestamp FROM node WHERE id = $1 AND inputs_timestamp IS NOT "
      "NULL",
      {node});
  if (!rows->next()) return;
  payloads.inputs_timestamp = rows->integer(1);
  std::string made;
  JsonWriter json(made);
  json.begin_object();
  json.member("certname", certname);
  text(json, "catalog_uuid", *rows, 0);
  json.member("producer_timestamp", time_text(payloads.inputs_timestamp));
  json.key("inputs");
  write_nested(json, connection, Nested::kCatalogInputs, node);
  json.end_object();
  payloads.inputs = std::move(made);
}

}  // namespace

NodePayloads read_payloads(Connection& connection, int64_t node, const std::string& certname) {
  NodePayloads payloads;
  payloads.facts = facts_payload(connection, node, certname);
  read_catalog(connection, node, certname, payloads);
  read_reports(connection, node, certname, payloads);
  read_inputs(connection, node, certname, payloads);
  const auto rows = connection.query(
      "SELECT expires_facts, expires_facts_updated FROM node WHERE id = $1 AND "
      "expires_facts_updated IS NOT NULL",
      {node});
  if (rows->next()) {
    std::string made;
    JsonWriter json(made);
    json.begin_object();
    json.member("certname", certname);
    json.key("expire");
    json.begin_object();
    json.key("facts"), json.boolean(rows->boolean(0));
    json.end_object();
    json.member("producer_timestamp", time_text(rows->integer(1)));
    json.end_object();
    payloads.expiration = std::move(made);
    payloads.expiration_timestamp = rows->integer(1);
  }
  return payloads;
}

}  // namespace bunraku::store
