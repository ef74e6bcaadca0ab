// Schema versions. Numbers are permanent, and a released step is never changed.
#include "store/schema/migrations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "store/schema/postgres_functions.h"
#include "store/time_text.h"

namespace bunraku::store {
namespace {

// Types whose names differ between the databases are in braces. Times are microseconds since the
// epoch, UTC. Texts are ordered by their bytes.
constexpr std::string_view kVersion1 = R"sql(
CREATE TABLE environment(id {id}, name {text} NOT NULL UNIQUE);
CREATE TABLE producer(id {id}, name {text} NOT NULL UNIQUE);
CREATE TABLE node(
  id {id},
  certname {text} NOT NULL UNIQUE,
  deactivated BIGINT,
  expired BIGINT,
  expires_facts BOOLEAN,
  expires_facts_updated BIGINT,
  latest_report_id BIGINT,
  latest_report_timestamp BIGINT,
  package_hash {text},
  inputs_uuid {text},
  inputs_timestamp BIGINT);
CREATE TABLE factset(
  node_id BIGINT NOT NULL PRIMARY KEY,
  hash {text} NOT NULL,
  environment_id BIGINT,
  producer_id BIGINT,
  producer_timestamp BIGINT NOT NULL,
  timestamp BIGINT NOT NULL);
CREATE TABLE fact(
  name {text} NOT NULL,
  node_id BIGINT NOT NULL,
  value {json} NOT NULL,
  PRIMARY KEY(name, node_id)) {rowless};
CREATE INDEX fact_by_node ON fact(node_id);
CREATE TABLE fact_path(
  path {text} NOT NULL,
  type {text} NOT NULL,
  name {text} NOT NULL,
  depth BIGINT NOT NULL,
  PRIMARY KEY(path, type)) {rowless};
CREATE TABLE catalog(
  node_id BIGINT NOT NULL PRIMARY KEY,
  hash {text} NOT NULL,
  version {text},
  transaction_uuid {text},
  catalog_uuid {text},
  code_id {text},
  job_id {text},
  environment_id BIGINT,
  producer_id BIGINT,
  producer_timestamp BIGINT NOT NULL,
  timestamp BIGINT NOT NULL,
  resource_count BIGINT NOT NULL,
  edges {packed} NOT NULL);
CREATE TABLE resource_parameters(
  identity {text} NOT NULL PRIMARY KEY,
  parameters {json} NOT NULL) {rowless};
CREATE TABLE tag_set(id {id}, hash {text} NOT NULL UNIQUE, tags {json} NOT NULL);
CREATE TABLE file(id {id}, name {text} NOT NULL UNIQUE);
CREATE TABLE resource(
  node_id BIGINT NOT NULL,
  type {text} NOT NULL,
  title {text} NOT NULL,
  identity {text} NOT NULL,
  tag_set_id BIGINT NOT NULL,
  exported BOOLEAN NOT NULL,
  file_id BIGINT,
  line BIGINT,
  PRIMARY KEY(node_id, type, title)) {rowless};
CREATE INDEX resource_by_type ON resource(type, title);
CREATE INDEX resource_exported ON resource(type) WHERE exported;
CREATE TABLE report(
  id {id},
  hash {text} NOT NULL UNIQUE,
  node_id BIGINT NOT NULL,
  puppet_version {text} NOT NULL,
  report_format BIGINT NOT NULL,
  configuration_version {text} NOT NULL,
  start_time BIGINT NOT NULL,
  end_time BIGINT NOT NULL,
  producer_timestamp BIGINT NOT NULL,
  receive_time BIGINT NOT NULL,
  transaction_uuid {text},
  catalog_uuid {text},
  code_id {text},
  job_id {text},
  cached_catalog_status {text},
  environment_id BIGINT,
  producer_id BIGINT,
  status {text},
  type {text} NOT NULL,
  noop BOOLEAN,
  noop_pending BOOLEAN,
  corrective_change BOOLEAN);
CREATE INDEX report_by_node ON report(node_id, producer_timestamp);
CREATE INDEX report_by_end ON report(end_time);
CREATE INDEX report_by_time ON report(producer_timestamp, status);
CREATE TABLE report_body(
  report_id BIGINT NOT NULL PRIMARY KEY,
  logs {packed} NOT NULL,
  metrics {packed} NOT NULL);
CREATE TABLE event(
  report_id BIGINT NOT NULL,
  number BIGINT NOT NULL,
  node_id BIGINT NOT NULL,
  timestamp BIGINT NOT NULL,
  status {text} NOT NULL,
  resource_type {text} NOT NULL,
  resource_title {text} NOT NULL,
  property {text},
  name {text},
  new_value {json},
  old_value {json},
  message {text},
  file {text},
  line BIGINT,
  containment_path {json},
  containing_class {text},
  corrective_change BOOLEAN,
  PRIMARY KEY(report_id, number)) {rowless};
CREATE INDEX event_by_time ON event(timestamp);
CREATE INDEX event_by_resource ON event(resource_type, resource_title);
CREATE TABLE package(
  id {id}, name {text} NOT NULL, version {text} NOT NULL, provider {text} NOT NULL,
  UNIQUE(name, version, provider));
CREATE TABLE node_package(
  node_id BIGINT NOT NULL, package_id BIGINT NOT NULL, PRIMARY KEY(node_id, package_id)) {rowless};
CREATE TABLE catalog_input(
  node_id BIGINT NOT NULL, type {text} NOT NULL, name {text} NOT NULL,
  PRIMARY KEY(node_id, type, name)) {rowless};
CREATE TABLE dead_letter(
  id {id},
  received BIGINT NOT NULL,
  command {text} NOT NULL,
  version BIGINT NOT NULL,
  certname {text} NOT NULL,
  error {text} NOT NULL,
  body {packed} NOT NULL);
)sql";

// Moves edges to a separate table, so that an unchanged catalog writes a short row.
constexpr std::string_view kVersion2 = R"sql(
CREATE TABLE catalog_edges(node_id {id}, edges {packed} NOT NULL);
INSERT INTO catalog_edges(node_id, edges) SELECT node_id, edges FROM catalog;
ALTER TABLE catalog DROP COLUMN edges;
)sql";

// Shares resources by content between nodes; a node has a short row for each.
constexpr std::string_view kVersion3 = R"sql(
CREATE TABLE resource_content(
  id {id},
  identity {text} NOT NULL UNIQUE,
  type {text} NOT NULL,
  title {text} NOT NULL,
  parameters {json} NOT NULL);
INSERT INTO resource_content(identity, type, title, parameters)
  SELECT p.identity, min(r.type), min(r.title), p.parameters FROM resource_parameters p
  JOIN resource r ON r.identity = p.identity GROUP BY p.identity;
CREATE INDEX resource_content_by_title ON resource_content(type, title);
CREATE TABLE catalog_resource(
  node_id BIGINT NOT NULL,
  content_id BIGINT NOT NULL,
  exported BOOLEAN NOT NULL,
  tag_set_id BIGINT NOT NULL,
  file_id BIGINT,
  line BIGINT,
  PRIMARY KEY(node_id, content_id)) {rowless};
INSERT INTO catalog_resource(node_id, content_id, exported, tag_set_id, file_id, line)
  SELECT r.node_id, c.id, r.exported, r.tag_set_id, r.file_id, r.line FROM resource r
  JOIN resource_content c ON c.identity = r.identity;
CREATE INDEX catalog_resource_by_content ON catalog_resource(content_id);
CREATE INDEX catalog_resource_exported ON catalog_resource(content_id) WHERE exported;
DROP TABLE resource;
DROP TABLE resource_parameters;
)sql";

// An index with all columns for counts of reports over time, so that no report is read for them.
constexpr std::string_view kVersion4 = R"sql(
DROP INDEX report_by_time;
CREATE INDEX report_by_time
  ON report(producer_timestamp, status, environment_id, node_id, type);
)sql";

// Changes only PostgreSQL's functions, which are replaced with each step.
constexpr std::string_view kVersion5 = "";

// An index with all columns of exported resources, so that collectors read only the index.
constexpr std::string_view kVersion6 = R"sql(
DROP INDEX catalog_resource_exported;
CREATE INDEX catalog_resource_exported
  ON catalog_resource(content_id, node_id, tag_set_id, file_id, line, exported) WHERE exported;
)sql";

// SQLite finds a row directly by an INTEGER PRIMARY KEY, but by a BIGINT one through an index,
// which every write changes as well.
constexpr std::string_view kVersion6OfSqlite = R"sql(
CREATE TABLE new_factset(
  node_id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL,
  environment_id BIGINT,
  producer_id BIGINT,
  producer_timestamp BIGINT NOT NULL,
  timestamp BIGINT NOT NULL);
INSERT INTO new_factset SELECT node_id, hash, environment_id, producer_id, producer_timestamp,
  timestamp FROM factset;
DROP TABLE factset;
ALTER TABLE new_factset RENAME TO factset;
CREATE TABLE new_catalog(
  node_id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL,
  version TEXT,
  transaction_uuid TEXT,
  catalog_uuid TEXT,
  code_id TEXT,
  job_id TEXT,
  environment_id BIGINT,
  producer_id BIGINT,
  producer_timestamp BIGINT NOT NULL,
  timestamp BIGINT NOT NULL,
  resource_count BIGINT NOT NULL);
INSERT INTO new_catalog SELECT node_id, hash, version, transaction_uuid, catalog_uuid, code_id,
  job_id, environment_id, producer_id, producer_timestamp, timestamp, resource_count FROM catalog;
DROP TABLE catalog;
ALTER TABLE new_catalog RENAME TO catalog;
CREATE TABLE new_report_body(
  report_id INTEGER PRIMARY KEY,
  logs BLOB NOT NULL,
  metrics BLOB NOT NULL);
INSERT INTO new_report_body SELECT report_id, logs, metrics FROM report_body;
DROP TABLE report_body;
ALTER TABLE new_report_body RENAME TO report_body;
)sql";

struct Step {
  std::string_view sql, sqlite_only;
};
constexpr std::array<Step, 6> kVersions{{{kVersion1, {}},
                                         {kVersion2, {}},
                                         {kVersion3, {}},
                                         {kVersion4, {}},
                                         {kVersion5, {}},
                                         {kVersion6, kVersion6OfSqlite}}};

// A number that no other program on the same database is likely to use.
constexpr int64_t kMigrationLock = 0x62756e72616b75;

std::string in_dialect(std::string_view sql, Dialect dialect) {
  const bool is_sqlite = dialect == Dialect::kSqlite;
  const std::array<std::pair<std::string_view, std::string_view>, 5> words{{
      {"{id}",
       is_sqlite ? "INTEGER PRIMARY KEY" : "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"},
      {"{text}", is_sqlite ? "TEXT" : "TEXT COLLATE \"C\""},
      {"{json}", is_sqlite ? "TEXT" : "JSONB"},
      {"{packed}", is_sqlite ? "BLOB" : "TEXT"},
      {"{rowless}", is_sqlite ? "WITHOUT ROWID" : ""},
  }};
  std::string result;
  while (!sql.empty()) {
    const size_t brace = std::min(sql.find('{'), sql.size());
    result += sql.substr(0, brace);
    sql.remove_prefix(brace);
    for (const auto& [word, replacement] : words) {
      if (!sql.starts_with(word)) continue;
      result += replacement;
      sql.remove_prefix(word.size());
      break;
    }
  }
  return result;
}

void take_step(Connection& connection, int64_t version) {
  const Step& step = kVersions[static_cast<size_t>(version - 1)];
  if (!step.sql.empty()) connection.script(in_dialect(step.sql, connection.dialect()));
  if (!step.sqlite_only.empty() && connection.dialect() == Dialect::kSqlite) {
    connection.script(std::string(step.sqlite_only));
  }
  connection.run("INSERT INTO schema_version(version, time) VALUES ($1, $2)",
                 {version, now_microseconds()});
}

}  // namespace

int64_t newest_schema() {
  return static_cast<int64_t>(kVersions.size());
}

int64_t schema_version(Connection& connection) {
  const bool has_table =
      connection.dialect() == Dialect::kSqlite
          ? connection.query("SELECT 1 FROM sqlite_master WHERE name = 'schema_version'")->next()
          : connection
                .query(
                    "SELECT 1 FROM pg_tables WHERE tablename = 'schema_version' AND "
                    "schemaname = current_schema()")
                ->next();
  if (!has_table) return 0;
  const auto rows = connection.query("SELECT coalesce(max(version), 0) FROM schema_version");
  return rows->next() ? rows->integer(0) : 0;
}

int64_t migrate(Connection& connection, int64_t to) {
  if (to == 0) to = newest_schema();
  if (schema_version(connection) == to) return 0;
  Transaction transaction(connection, Transaction::Kind::kWrite);
  if (connection.dialect() == Dialect::kPostgres) {
    connection.query("SELECT pg_advisory_xact_lock($1)", {kMigrationLock})->next();
  }
  connection.script(
      "CREATE TABLE IF NOT EXISTS schema_version(version BIGINT PRIMARY KEY, time BIGINT NOT "
      "NULL)");
  const int64_t found = schema_version(connection);
  if (found > newest_schema()) {
    throw StoreError(
        StoreErrorKind::kInput,
        fmt::format("The store has schema version {}, and this program knows up to {}: a newer "
                    "one has written it",
                    found, newest_schema()));
  }
  if (found < to && connection.dialect() == Dialect::kPostgres) {
    connection.script(std::string(postgres_functions()));
  }
  for (int64_t version = found + 1; version <= to; ++version) {
    take_step(connection, version);
  }
  transaction.commit();
  return std::max<int64_t>(to - found, 0);
}

}  // namespace bunraku::store
