// Checks shared by all payloads, and the rows of nodes and names.
#include "store/commands/payload.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "base/system/limits.h"
#include "store/time_text.h"

namespace bunraku::store {
namespace {

std::string without_zeros(std::string_view body) {
  std::string result;
  result.reserve(body.size());
  for (size_t i = 0; i < body.size(); ++i) {
    if (body[i] == '\\' && body.substr(i, 6) == "\\u0000") {
      result += "\\ufffd";
      i += 5;
    } else if (body[i] == '\\' && i + 1 < body.size()) {
      result += body.substr(i++, 2);
    } else {
      result += body[i];
    }
  }
  return result;
}

// The recursion is bounded, because the parser bounds nesting.
void write_sorted(JsonWriter& json, const DataNode& node) {
  if (node.is(DataKind::kArray)) {
    json.begin_array();
    for (const DataNode& item : node.items()) write_sorted(json, item);
    json.end_array();
  } else if (node.is(DataKind::kHash)) {
    std::vector<const DataEntry*> entries;
    for (const DataEntry& entry : node.entries()) entries.push_back(&entry);
    std::ranges::sort(entries, {}, [](const DataEntry* e) { return e->key.text_value(); });
    json.begin_object();
    for (const DataEntry* entry : entries) {
      json.key(entry->key.text_value());
      write_sorted(json, entry->value);
    }
    json.end_object();
  } else {
    json.data(node);
  }
}

bool is_uuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (is_dash ? text[i] != '-' : std::isxdigit(static_cast<unsigned char>(text[i])) == 0) {
      return false;
    }
  }
  return true;
}

// The id of a name that the row already has in `column`, followed by the name itself; no value when
// the row has another name.
std::optional<SqlValue> known_name_id(const Rows& rows, int column,
                                      const std::optional<std::string>& name) {
  if (!name) return SqlValue();
  if (rows.is_null(column) || rows.text(column + 1) != *name) return {};
  return rows.integer(column);
}

}  // namespace

Payload::Payload(const DataNode& node, std::string what) : node_(node), what_(std::move(what)) {
  if (!node.is(DataKind::kHash)) fail("must be an object");
}

void Payload::fail(std::string_view problem) const {
  throw StoreError(StoreErrorKind::kInput, fmt::format("{} {}", what_, problem));
}

const DataNode* Payload::find(std::string_view key) const {
  const DataNode* value = node_.find(key);
  return value != nullptr && value->is(DataKind::kNull) ? nullptr : value;
}

const DataNode& Payload::any(std::string_view key) const {
  const DataNode* value = node_.find(key);
  if (value == nullptr) fail(fmt::format("has no '{}'", key));
  return *value;
}

std::optional<std::string> Payload::optional_text(std::string_view key) const {
  const DataNode* value = find(key);
  if (value == nullptr) return {};
  if (!value->is(DataKind::kString)) fail(fmt::format("has a '{}' that is no string", key));
  return std::string(value->text_value());
}

std::string Payload::text(std::string_view key) const {
  auto value = optional_text(key);
  if (!value) fail(fmt::format("has no '{}'", key));
  return std::move(*value);
}

std::optional<int64_t> Payload::optional_integer(std::string_view key) const {
  const DataNode* value = find(key);
  if (value == nullptr) return {};
  if (!value->is(DataKind::kInteger)) fail(fmt::format("has a '{}' that is no integer", key));
  return value->integer_value();
}

int64_t Payload::integer(std::string_view key) const {
  const auto value = optional_integer(key);
  if (!value) fail(fmt::format("has no '{}'", key));
  return *value;
}

std::optional<bool> Payload::optional_boolean(std::string_view key) const {
  const DataNode* value = find(key);
  if (value == nullptr) return {};
  if (!value->is(DataKind::kBoolean)) fail(fmt::format("has a '{}' that is no boolean", key));
  return value->boolean_value();
}

bool Payload::boolean(std::string_view key) const {
  const auto value = optional_boolean(key);
  if (!value) fail(fmt::format("has no '{}'", key));
  return *value;
}

int64_t Payload::time_or(std::string_view key, int64_t otherwise) const {
  const DataNode* value = find(key);
  if (value == nullptr) return otherwise;
  std::optional<int64_t> time;
  if (value->is(DataKind::kInteger)) time = value->integer_value() * 1000;
  if (value->is(DataKind::kString)) time = parse_time(value->text_value());
  if (!time) fail(fmt::format("has a '{}' that is no time", key));
  return *time;
}

int64_t Payload::time(std::string_view key) const {
  if (find(key) == nullptr) fail(fmt::format("has no '{}'", key));
  return time_or(key, 0);
}

std::span<const DataNode> Payload::optional_array(std::string_view key) const {
  const DataNode* value = find(key);
  if (value == nullptr) return {};
  if (!value->is(DataKind::kArray)) fail(fmt::format("has a '{}' that is no array", key));
  return value->items();
}

std::span<const DataNode> Payload::array(std::string_view key) const {
  if (find(key) == nullptr) fail(fmt::format("has no '{}'", key));
  return optional_array(key);
}

std::optional<std::string> Payload::optional_uuid(std::string_view key) const {
  auto text = optional_text(key);
  if (text && !is_uuid(*text)) fail(fmt::format("has a '{}' that is no UUID", key));
  return text;
}

void Payload::allow(std::span<const std::string_view> keys) const {
  for (const DataEntry& entry : node_.entries()) {
    if (std::ranges::find(keys, entry.key.text_value()) == keys.end()) {
      fail(fmt::format("has a key '{}', which means nothing here", entry.key.text_value()));
    }
  }
}

DataNode read_body(const Command& command, Arena& arena) {
  try {
    if (command.body.find("\\u0000") == std::string::npos) return read_json(command.body, arena);
    return read_json(arena.copy(without_zeros(command.body)), arena);
  } catch (const DataError& error) {
    throw StoreError(StoreErrorKind::kInput, fmt::format("The body is no JSON: {}", error.what()));
  }
}

std::string sorted_json(const DataNode& node) {
  std::string text;
  JsonWriter json(text);
  try {
    write_sorted(json, node);
  } catch (const DataError& error) {
    throw StoreError(StoreErrorKind::kInput, error.what());
  }
  return text;
}

const CommandKind* find_command(std::string_view name) {
  const auto found = std::ranges::find(kCommandKinds, name, &CommandKind::name);
  return found == kCommandKinds.end() ? nullptr : &*found;
}

PreparedCommand prepare_command(const Command& command, const FactFilter& filter) {
  const CommandKind* kind = find_command(command.name);
  if (kind == nullptr) {
    throw StoreError(StoreErrorKind::kInput, fmt::format("There is no command '{}'", command.name));
  }
  if (command.version < kind->oldest || command.version > kind->newest) {
    throw StoreError(StoreErrorKind::kInput, fmt::format("Version {} of {} is not supported",
                                                         command.version, command.name));
  }
  if (command.name == "replace facts") return prepare_facts(command, filter);
  if (command.name == "replace catalog") return prepare_catalog(command);
  if (command.name == "store report") return prepare_report(command);
  if (command.name == "deactivate node") return prepare_deactivation(command);
  if (command.name == "configure expiration") return prepare_expiration(command);
  return prepare_inputs(command);
}

Outcome store_prepared(Store& store, const PreparedCommand& prepared) {
  Outcome outcome = Outcome::kStored;
  store.write([&](Connection& connection) { outcome = prepared.step(connection); });
  return outcome;
}

Outcome store_or_keep(Store& store, const PreparedCommand& prepared, const Command& command) {
  try {
    return store_prepared(store, prepared);
  } catch (const StoreError& error) {
    const bool may_wait =
        error.kind() == StoreErrorKind::kUnavailable || error.kind() == StoreErrorKind::kConflict;
    if (!may_wait || store.keeper() == nullptr || !store.keeper()->keep(command)) throw;
    return Outcome::kQueued;
  }
}

Outcome store_command(Store& store, const Command& command) {
  return store_or_keep(store, prepare_command(command, store.fact_filter()), command);
}

namespace {
constexpr int64_t kMostLetters = 100;  // dead letters of one node
}  // namespace

void keep_dead_letter(Store& store, const Command& command, const std::string& error) {
  store.write([&](Connection& connection) {
    connection.run(
        "INSERT INTO dead_letter(received, command, version, certname, error, body) "
        "VALUES ($1, $2, $3, $4, $5, bk_pack($6))",
        {command.received, command.name, command.version, command.certname, error, command.body});
    // Only the newest are kept, so that a node that always fails cannot fill the table.
    connection.run(
        "DELETE FROM dead_letter WHERE certname = $1 AND id <= (SELECT id FROM dead_letter WHERE "
        "certname = $1 ORDER BY id DESC LIMIT 1 OFFSET $2)",
        {command.certname, kMostLetters});
  });
}

NodeRow lock_node(Connection& connection, const std::string& certname) {
  // SQLite has a single writer, so no row lock is needed.
  const char* const select =
      connection.dialect() == Dialect::kSqlite
          ? "SELECT id, deactivated, expired FROM node WHERE certname = $1"
          : "SELECT id, deactivated, expired FROM node WHERE certname = $1 FOR NO KEY UPDATE";
  auto rows = connection.query(select, {certname});
  if (!rows->next()) {
    rows.reset();
    connection.run("INSERT INTO node(certname) VALUES ($1) ON CONFLICT(certname) DO NOTHING",
                   {certname});
    rows = connection.query(select, {certname});
    if (!rows->next()) throw StoreError(StoreErrorKind::kConflict, "A node was removed meanwhile");
  }
  NodeRow node;
  node.id = rows->integer(0);
  if (!rows->is_null(1)) node.deactivated = rows->integer(1);
  if (!rows->is_null(2)) node.expired = rows->integer(2);
  return node;
}

void reactivate(Connection& connection, const NodeRow& node, int64_t producer_timestamp) {
  const int64_t since = std::max(node.deactivated.value_or(0), node.expired.value_or(0));
  if (since == 0 || producer_timestamp <= since) return;
  connection.run("UPDATE node SET deactivated = NULL, expired = NULL WHERE id = $1", {node.id});
}

SqlValue name_id(Connection& connection, std::string_view table,
                 const std::optional<std::string>& name) {
  if (!name) return {};
  const std::string select = fmt::format("SELECT id FROM {} WHERE name = $1", table);
  if (const auto rows = connection.query(select, {*name}); rows->next()) return rows->integer(0);
  connection.run(
      fmt::format("INSERT INTO {}(name) VALUES ($1) ON CONFLICT(name) DO NOTHING", table), {*name});
  const auto rows = connection.query(select, {*name});
  if (!rows->next()) throw StoreError(StoreErrorKind::kConflict, "A name was removed meanwhile");
  return rows->integer(0);
}

std::optional<Succession> succeed(Connection& connection, std::string_view table,
                                  const NodeRow& node, const DocumentHead& head) {
  Succession result;
  std::optional<SqlValue> environment, producer;
  {
    const auto rows = connection.query(
        fmt::format("SELECT d.hash, d.producer_timestamp, d.environment_id, e.name, d.producer_id, "
                    "p.name FROM {} d LEFT JOIN environment e ON e.id = d.environment_id LEFT JOIN "
                    "producer p ON p.id = d.producer_id WHERE d.node_id = $1",
                    table),
        {node.id});
    if (rows->next()) {
      if (rows->integer(1) > head.producer_timestamp) return std::nullopt;
      result.is_first = false;
      result.is_unchanged = rows->text(0) == head.hash;
      environment = known_name_id(*rows, 2, head.environment);
      producer = known_name_id(*rows, 4, head.producer);
    }
  }
  reactivate(connection, node, head.producer_timestamp);
  result.environment =
      environment ? *environment : name_id(connection, "environment", head.environment);
  result.producer = producer ? *producer : name_id(connection, "producer", head.producer);
  return result;
}

void hold_garbage(Connection& connection, std::string_view table) {
  if (connection.dialect() != Dialect::kPostgres) return;
  connection.script(fmt::format("LOCK TABLE {} IN ROW EXCLUSIVE MODE", table));
}

}  // namespace bunraku::store
