// replace facts: writes a row for each changed fact.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "base/text/digest.h"
#include "store/commands/known_content.h"
#include "store/commands/payload.h"
#include "store/database/json_text.h"

namespace bunraku::store {
namespace {

struct Package {
  std::string name, version, provider;
  friend auto operator<=>(const Package&, const Package&) = default;
};

struct Facts {
  std::string certname;
  std::optional<std::string> environment, producer;
  int64_t producer_timestamp = 0;
  int64_t received = 0;
  std::vector<std::pair<std::string, std::string>> values;  // names and JSON, sorted
  std::vector<Package> packages;                            // sorted
  std::string hash, package_hash;
  // The values were not parsed, because they are known to have the digest `hash`.
  bool is_cut = false;
};

std::vector<Package> read_packages(const Payload& payload) {
  std::vector<Package> packages;
  for (const DataNode& item : payload.optional_array("package_inventory")) {
    if (!item.is(DataKind::kArray) || item.items().size() != 3 ||
        !std::ranges::all_of(item.items(),
                             [](const DataNode& part) { return part.is(DataKind::kString); })) {
      payload.fail("has a package that is no array of name, version and provider");
    }
    packages.push_back({std::string(item.items()[0].text_value()),
                        std::string(item.items()[1].text_value()),
                        std::string(item.items()[2].text_value())});
  }
  std::ranges::sort(packages);
  const auto [first, last] = std::ranges::unique(packages);
  packages.erase(first, last);
  return packages;
}

constexpr std::array<std::string_view, 6> kKeys{
    "certname", "environment", "producer", "producer_timestamp", "values", "package_inventory"};
constexpr std::array<std::string_view, 2> kLargeKeys{"values", "package_inventory"};

// Reads everything except the values.
std::shared_ptr<Facts> read_head(const Payload& payload, const Command& command) {
  payload.allow(kKeys);
  if (command.version >= 5) payload.any("producer");
  auto facts = std::make_shared<Facts>();
  facts->certname = payload.text("certname");
  facts->environment = payload.optional_text("environment");
  facts->producer = payload.optional_text("producer");
  facts->producer_timestamp = payload.time("producer_timestamp");
  facts->received = command.received;
  return facts;
}

std::string content_key(const Facts& facts, const SplitBody& split, const FactFilter& filter) {
  return fmt::format("facts {} {} {} {}", split.large_digest, facts.certname,
                     facts.environment.value_or(""), filter.text());
}

std::shared_ptr<const Facts> read_facts(const Command& command, const FactFilter& filter) {
  Arena arena;
  const DataNode body = read_body(command, arena);
  const Payload payload(body, "The factset");
  const std::shared_ptr<Facts> facts = read_head(payload, command);
  const DataNode& values = payload.any("values");
  if (!values.is(DataKind::kHash)) payload.fail("must have an object as 'values'");
  for (const DataEntry& entry : values.entries()) {
    if (!filter.keeps(entry.key.text_value())) continue;
    facts->values.emplace_back(entry.key.text_value(), sorted_json(entry.value));
  }
  std::ranges::sort(facts->values);
  facts->packages = read_packages(payload);
  Digester digester(DigestAlgorithm::kSha1), packages(DigestAlgorithm::kSha1);
  digester.add(fmt::format("{}\n{}\n", facts->certname, facts->environment.value_or("")));
  for (const auto& [name, value] : facts->values) digester.add(name + ":" + value + "\n");
  for (const Package& package : facts->packages) {
    packages.add(fmt::format("{}\n{}\n{}\n", package.name, package.version, package.provider));
  }
  facts->package_hash = packages.hex();
  digester.add(facts->package_hash);
  facts->hash = digester.hex();
  return facts;
}

// "string", "integer", "float", "boolean" or "null".
std::string_view leaf_type(std::string_view json) {
  if (json_kind(json) != JsonKind::kNumber) return json_kind_name(json);
  return json.find_first_of(".eE") == std::string_view::npos ? "integer" : "float";
}

using Paths = std::map<std::pair<std::string, std::string_view>, size_t>;  // to their depths

void add_paths(const std::string& path, size_t depth, std::string_view json, Paths& paths) {
  const JsonKind kind = json_kind(json);
  if (kind != JsonKind::kArray && kind != JsonKind::kObject) {
    paths.emplace(std::pair(path + "]", leaf_type(json)), depth);
    return;
  }
  size_t index = 0;
  for_each_part(json, [&](std::string_view key, std::string_view value) {
    add_paths(path + "," + (key.empty() ? std::to_string(index++) : std::string(key)), depth + 1,
              value, paths);
    return true;
  });
}

void write_paths(Connection& connection,
                 const std::vector<const std::pair<std::string, std::string>*>& changed) {
  RowInserter inserter(connection, "INSERT INTO fact_path(path, name, depth, type) VALUES", 4,
                       "ON CONFLICT(path, type) DO NOTHING");
  Connection::SharedNumbers& written = connection.shared_numbers("fact_path");
  for (const auto* fact : changed) {
    if (!written.emplace(fact->first + '\n' + fact->second, 0).second) continue;
    std::string path = "[";
    append_json_string(path, fact->first);
    Paths paths;
    add_paths(path, 0, fact->second, paths);
    for (const auto& [key, depth] : paths) {
      inserter.add({key.first, fact->first, static_cast<int64_t>(depth), std::string(key.second)});
    }
  }
  inserter.finish();
}

void write_values(Connection& connection, int64_t node, const Facts& facts, bool is_new) {
  std::map<std::string, std::string, std::less<>> stored;
  if (!is_new) {
    const auto rows = connection.query("SELECT name, value FROM fact WHERE node_id = $1", {node});
    while (rows->next()) stored.emplace(rows->text(0), rows->text(1));
  }
  std::vector<const std::pair<std::string, std::string>*> changed;
  for (const auto& fact : facts.values) {
    const auto found = stored.find(fact.first);
    if (found == stored.end()) {
      changed.push_back(&fact);
      continue;
    }
    // A number in another notation is stored as a change.
    if (found->second != fact.second && !json_equal(found->second, fact.second)) {
      changed.push_back(&fact);
    }
    stored.erase(found);
  }
  RowInserter inserter(
      connection, "INSERT INTO fact(name, node_id, value) VALUES", 3,
      is_new ? "" : "ON CONFLICT(name, node_id) DO UPDATE SET value = excluded.value");
  for (const auto* fact : changed) inserter.add({fact->first, node, fact->second});
  inserter.finish();
  write_paths(connection, changed);
  for (const auto& [name, value] : stored) {
    connection.run("DELETE FROM fact WHERE name = $1 AND node_id = $2", {name, node});
  }
}

void write_packages(Connection& connection, int64_t node, const Facts& facts) {
  const auto rows = connection.query("SELECT package_hash FROM node WHERE id = $1", {node});
  if (!rows->next() || rows->text(0) == facts.package_hash) return;
  if (rows->is_null(0) && facts.packages.empty()) return;
  hold_garbage(connection, "node_package");
  connection.run("DELETE FROM node_package WHERE node_id = $1", {node});
  RowInserter packages(connection, "INSERT INTO package(name, version, provider) VALUES", 3,
                       "ON CONFLICT(name, version, provider) DO NOTHING");
  for (const Package& package : facts.packages) {
    packages.add({package.name, package.version, package.provider});
  }
  packages.finish();
  for (const Package& package : facts.packages) {
    connection.run(
        "INSERT INTO node_package(node_id, package_id) SELECT $1, id FROM package WHERE name = $2 "
        "AND version = $3 AND provider = $4",
        {node, package.name, package.version, package.provider});
  }
  connection.run("UPDATE node SET package_hash = $2 WHERE id = $1", {node, facts.package_hash});
}

// Reads facts with known values. Returns null when they have to be parsed.
std::shared_ptr<const Facts> read_known(const Command& command, const SplitBody& split,
                                        const FactFilter& filter) {
  Arena arena;
  Command head = command;
  head.body = split.rest;
  const DataNode body = read_body(head, arena);
  const std::shared_ptr<Facts> facts = read_head(Payload(body, "The factset"), command);
  const auto hash = known_hash(content_key(*facts, split, filter));
  if (!hash) return nullptr;
  facts->hash = *hash;
  facts->is_cut = true;
  return facts;
}

Outcome write_facts(Connection& connection, const Facts& facts, const Command& command,
                    const FactFilter& filter) {
  const NodeRow node = lock_node(connection, facts.certname);
  const std::optional<Succession> succession =
      succeed(connection, "factset", node,
              {facts.hash, facts.producer_timestamp, facts.environment, facts.producer});
  if (!succession) return Outcome::kStale;
  connection.run(
      "INSERT INTO factset(node_id, hash, environment_id, producer_id, producer_timestamp, "
      "timestamp) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT(node_id) DO UPDATE SET hash = "
      "excluded.hash, environment_id = excluded.environment_id, producer_id = "
      "excluded.producer_id, producer_timestamp = excluded.producer_timestamp, timestamp = "
      "excluded.timestamp",
      {node.id, facts.hash, succession->environment, succession->producer, facts.producer_timestamp,
       facts.received});
  if (succession->is_unchanged) return Outcome::kUnchanged;
  const std::shared_ptr<const Facts> whole = facts.is_cut ? read_facts(command, filter) : nullptr;
  write_values(connection, node.id, whole ? *whole : facts, succession->is_first);
  write_packages(connection, node.id, whole ? *whole : facts);
  return Outcome::kStored;
}

}  // namespace

PreparedCommand prepare_facts(const Command& command, const FactFilter& filter) {
  const auto split = split_body(command.body, kLargeKeys);
  std::shared_ptr<const Facts> facts = split ? read_known(command, *split, filter) : nullptr;
  if (facts != nullptr) {
    return {facts->certname, [facts, command, filter](Connection& connection) {
              return write_facts(connection, *facts, command, filter);
            }};
  }
  facts = read_facts(command, filter);
  if (split) keep_hash(content_key(*facts, *split, filter), facts->hash);
  return {facts->certname, [facts, filter](Connection& connection) {
            return write_facts(connection, *facts, {}, filter);
          }};
}

}  // namespace bunraku::store
