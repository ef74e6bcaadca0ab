// replace catalog: writes a row for each changed resource; parameters, tags and files are shared
// rows.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "base/text/digest.h"
#include "base/text/text_hash.h"
#include "base/text/utf8.h"
#include "store/commands/known_content.h"
#include "store/commands/payload.h"

namespace bunraku::store {
namespace {

constexpr std::array<std::string_view, 5> kRelationships{"contains", "before", "required-by",
                                                         "notifies", "subscription-of"};

struct Resource {
  std::string type, title;
  std::string identity;
  std::string parameters;  // JSON
  std::string tags;        // JSON, sorted
  std::string tags_hash;
  bool is_exported = false;
  std::optional<std::string> file;
  std::optional<int64_t> line;
};

struct Catalog {
  std::string certname, version;
  std::optional<std::string> transaction_uuid, catalog_uuid, code_id, job_id;
  std::optional<std::string> environment, producer;
  int64_t producer_timestamp = 0;
  int64_t received = 0;
  std::vector<Resource> resources;  // sorted by title and type
  std::string edges;                // JSON, sorted
  std::string hash;
  // Resources and edges were not parsed, because they are known to have the digest `hash`.
  bool is_cut = false;
};

// Returns whether the text matches [\p{L}\p{N}_][\p{L}\p{N}_:.-]* without upper case.
bool is_tag(std::string_view tag) {
  if (tag.empty()) return false;
  for (size_t i = 0; i < tag.size(); ++i) {
    const auto c = static_cast<unsigned char>(tag[i]);
    const bool is_word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c >= 0x80;
    const bool is_inner = c == ':' || c == '.' || c == '-';
    if (!is_word && !(is_inner && i > 0)) return false;
  }
  return downcase(tag) == tag;
}

Resource read_resource(const DataNode& node) {
  const Payload payload(node, "A resource of the catalog");
  Resource resource;
  resource.type = payload.text("type");
  resource.title = payload.text("title");
  resource.is_exported = payload.boolean("exported");
  resource.file = payload.optional_text("file");
  resource.line = payload.optional_integer("line");
  std::set<std::string> tags;
  for (const DataNode& tag : payload.array("tags")) {
    if (!tag.is(DataKind::kString) || !is_tag(tag.text_value())) {
      payload.fail(fmt::format("({}[{}]) has a tag that is none: {}", resource.type, resource.title,
                               sorted_json(tag)));
    }
    tags.emplace(tag.text_value());
  }
  JsonWriter json(resource.tags);
  json.begin_array();
  for (const std::string& tag : tags) json.string(tag);
  json.end_array();
  resource.tags_hash = content_id(resource.tags);
  const DataNode& parameters = payload.any("parameters");
  if (!parameters.is(DataKind::kHash)) payload.fail("must have an object as 'parameters'");
  resource.parameters = sorted_json(parameters);
  Digester digester(DigestAlgorithm::kSha1);
  std::string key;
  append_json_string(key, resource.type);
  append_json_string(key, resource.title);
  digester.add(key);
  digester.add(resource.parameters);
  resource.identity = digester.hex();
  return resource;
}

using References = std::unordered_set<std::string, TextHash>;

std::string reference(const std::string& type, const std::string& title) {
  return fmt::format("{}[{}]", type, title);
}

std::string read_edges(const Payload& catalog, const References& known) {
  std::set<std::string> edges;
  for (const DataNode& node : catalog.array("edges")) {
    const Payload edge(node, "An edge of the catalog");
    const Payload source(edge.any("source"), "The source of an edge");
    const Payload target(edge.any("target"), "The target of an edge");
    const std::string relationship = edge.text("relationship");
    if (std::ranges::find(kRelationships, relationship) == kRelationships.end()) {
      edge.fail(fmt::format("has an unknown relationship '{}'", relationship));
    }
    std::string text;
    JsonWriter json(text);
    json.begin_array();
    json.string(relationship);
    for (const Payload* end : {&source, &target}) {
      const std::string type = end->text("type"), title = end->text("title");
      if (!known.contains(reference(type, title))) {
        edge.fail(fmt::format("names {}[{}], which is no resource of the catalog", type, title));
      }
      json.string(type);
      json.string(title);
    }
    json.end_array();
    edges.insert(std::move(text));
  }
  return fmt::format("[{}]", fmt::join(edges, ","));
}

std::string hash_of(const Catalog& catalog) {
  Digester digester(DigestAlgorithm::kSha1);
  digester.add(catalog.certname + "\n");
  for (const Resource& resource : catalog.resources) {
    digester.add(fmt::format("{} {} {} {} {}\n", resource.identity, resource.tags_hash,
                             resource.is_exported, resource.line.value_or(-1),
                             resource.file.value_or("")));
  }
  digester.add(catalog.edges);
  return digester.hex();
}

constexpr std::array<std::string_view, 2> kLargeKeys{"resources", "edges"};

std::string content_key(const Catalog& catalog, const SplitBody& split) {
  return fmt::format("catalog {} {}", split.large_digest, catalog.certname);
}

// Reads everything except resources and edges.
std::shared_ptr<Catalog> read_head(const Payload& payload, const Command& command) {
  auto catalog = std::make_shared<Catalog>();
  catalog->certname = payload.text("certname");
  catalog->version = payload.text("version");
  catalog->environment = payload.optional_text("environment");
  catalog->transaction_uuid = payload.optional_uuid("transaction_uuid");
  catalog->catalog_uuid = payload.optional_uuid("catalog_uuid");
  if (command.version < 8) catalog->catalog_uuid = catalog->transaction_uuid;
  if (command.version >= 7) payload.any("code_id");
  catalog->code_id = payload.optional_text("code_id");
  catalog->job_id = payload.optional_text("job_id");
  catalog->producer = payload.optional_text("producer");
  catalog->producer_timestamp = payload.time("producer_timestamp");
  catalog->received = command.received;
  return catalog;
}

// Reads a catalog with known content. Returns null when it has to be parsed.
std::shared_ptr<const Catalog> read_known(const Command& command, const SplitBody& split) {
  Arena arena;
  Command head = command;
  head.body = split.rest;
  const DataNode body = read_body(head, arena);
  const std::shared_ptr<Catalog> catalog = read_head(Payload(body, "The catalog"), command);
  const auto hash = known_hash(content_key(*catalog, split));
  if (!hash) return nullptr;
  catalog->hash = *hash;
  catalog->is_cut = true;
  return catalog;
}

std::shared_ptr<const Catalog> read_catalog(const Command& command) {
  Arena arena;
  const DataNode body = read_body(command, arena);
  const Payload payload(body, "The catalog");
  const std::shared_ptr<Catalog> catalog = read_head(payload, command);
  References known;
  for (const DataNode& node : payload.array("resources")) {
    catalog->resources.push_back(read_resource(node));
    const Resource& resource = catalog->resources.back();
    if (!known.insert(reference(resource.type, resource.title)).second) {
      payload.fail(fmt::format("has {}[{}] twice", resource.type, resource.title));
    }
  }
  std::ranges::sort(catalog->resources, [](const Resource& a, const Resource& b) {
    return std::tie(a.title, a.type) < std::tie(b.title, b.type);
  });
  catalog->edges = read_edges(payload, known);
  catalog->hash = hash_of(*catalog);
  return catalog;
}

// The ids of shared rows, by identifying texts.
using Numbers = Connection::SharedNumbers;

// Adds the ids of existing rows. `select` is "SELECT key, id FROM t WHERE key IN".
void look_up(Connection& connection, std::string_view select, const std::vector<std::string>& keys,
             Numbers& numbers) {
  // Many keys in one statement where statements go over a network.
  const size_t at_once = connection.dialect() == Dialect::kSqlite ? 1 : 64;
  for (size_t first = 0; first < keys.size();) {
    const size_t count = keys.size() - first < at_once ? 1 : at_once;
    std::string sql(select);
    std::vector<SqlValue> values;
    for (size_t i = 0; i < count; ++i) {
      sql += fmt::format("{}${}", i == 0 ? " (" : ", ", i + 1);
      values.emplace_back(keys[first + i]);
    }
    const auto rows = connection.query(sql + ")", values);
    while (rows->next()) numbers[std::string(rows->text(0))] = rows->integer(1);
    first += count;
  }
}

// Shared rows by key, with functions that insert missing ones.
using SharedRows = std::map<std::string, std::function<void(RowInserter&)>>;

// A table of shared rows.
struct SharedTable {
  const char* name;
  const char* select;  // "SELECT key, id FROM t WHERE key IN"
  const char* insert;
  size_t columns;
};

const Numbers& shared_numbers(Connection& connection, const SharedTable& table,
                              const SharedRows& rows) {
  Numbers& numbers = connection.shared_numbers(table.name);
  std::vector<std::string> keys;
  for (const auto& [key, row] : rows) {
    if (!numbers.contains(key)) keys.push_back(key);
  }
  look_up(connection, table.select, keys, numbers);
  std::erase_if(keys, [&](const std::string& key) { return numbers.contains(key); });
  if (keys.empty()) return numbers;
  RowInserter inserter(connection, table.insert, table.columns, "ON CONFLICT DO NOTHING");
  for (const std::string& key : keys) rows.at(key)(inserter);
  inserter.finish();
  look_up(connection, table.select, keys, numbers);
  return numbers;
}

using Resources = std::vector<const Resource*>;

const Numbers& file_numbers(Connection& connection, const Resources& resources) {
  SharedRows files;
  for (const Resource* resource : resources) {
    if (!resource->file) continue;
    files.try_emplace(*resource->file, [resource](RowInserter& to) { to.add({*resource->file}); });
  }
  return shared_numbers(
      connection,
      {"file", "SELECT name, id FROM file WHERE name IN", "INSERT INTO file(name) VALUES", 1},
      files);
}

const Numbers& tag_set_numbers(Connection& connection, const Resources& resources) {
  SharedRows sets;
  for (const Resource* resource : resources) {
    sets.try_emplace(resource->tags_hash, [resource](RowInserter& to) {
      to.add({resource->tags_hash, resource->tags});
    });
  }
  return shared_numbers(connection,
                        {"tag_set", "SELECT hash, id FROM tag_set WHERE hash IN",
                         "INSERT INTO tag_set(hash, tags) VALUES", 2},
                        sets);
}

const Numbers& content_numbers(Connection& connection, const Resources& resources) {
  SharedRows contents;
  for (const Resource* resource : resources) {
    contents.try_emplace(resource->identity, [resource](RowInserter& to) {
      to.add({resource->identity, resource->type, resource->title, resource->parameters});
    });
  }
  return shared_numbers(
      connection,
      {"resource_content", "SELECT identity, id FROM resource_content WHERE identity IN",
       "INSERT INTO resource_content(identity, type, title, parameters) VALUES", 4},
      contents);
}

// The columns of a stored resource that show changes.
struct StoredResource {
  int64_t content;
  std::string tags_hash;
  bool is_exported;
  std::string file;
  int64_t line;
};

// By the resources' identities.
using StoredResources = std::unordered_map<std::string, StoredResource>;

StoredResources stored_resources(Connection& connection, int64_t node) {
  StoredResources stored;
  const auto rows = connection.query(
      "SELECT c.identity, r.content_id, t.hash, r.exported, coalesce(f.name, ''), coalesce(r.line, "
      "-1) FROM catalog_resource r JOIN resource_content c ON c.id = r.content_id JOIN tag_set t "
      "ON t.id = r.tag_set_id LEFT JOIN file f ON f.id = r.file_id WHERE r.node_id = $1",
      {node});
  while (rows->next()) {
    stored.emplace(rows->text(0),
                   StoredResource{rows->integer(1), std::string(rows->text(2)), rows->boolean(3),
                                  std::string(rows->text(4)), rows->integer(5)});
  }
  return stored;
}

void write_resources(Connection& connection, int64_t node, const Catalog& catalog, bool is_new) {
  hold_garbage(connection, "catalog_resource");
  StoredResources stored = is_new ? StoredResources() : stored_resources(connection, node);
  Resources changed;
  for (const Resource& resource : catalog.resources) {
    const auto found = stored.find(resource.identity);
    const bool is_same = found != stored.end() && found->second.tags_hash == resource.tags_hash &&
                         found->second.is_exported == resource.is_exported &&
                         found->second.file == resource.file.value_or("") &&
                         found->second.line == resource.line.value_or(-1);
    if (!is_same) changed.push_back(&resource);
    if (found != stored.end()) stored.erase(found);
  }
  const Numbers& files = file_numbers(connection, changed);
  const Numbers& tag_sets = tag_set_numbers(connection, changed);
  const Numbers& contents = content_numbers(connection, changed);
  // In the order of the table.
  std::ranges::sort(changed, {},
                    [&](const Resource* resource) { return contents.at(resource->identity); });
  RowInserter inserter(
      connection,
      "INSERT INTO catalog_resource(node_id, content_id, tag_set_id, exported, file_id, line) "
      "VALUES",
      6,
      is_new ? ""
             : "ON CONFLICT(node_id, content_id) DO UPDATE SET tag_set_id = excluded.tag_set_id, "
               "exported = excluded.exported, file_id = excluded.file_id, line = excluded.line");
  for (const Resource* resource : changed) {
    inserter.add({node, contents.at(resource->identity), tag_sets.at(resource->tags_hash),
                  resource->is_exported,
                  resource->file ? SqlValue(files.at(*resource->file)) : SqlValue(),
                  value_of(resource->line)});
  }
  inserter.finish();
  for (const auto& [identity, resource] : stored) {
    connection.run("DELETE FROM catalog_resource WHERE node_id = $1 AND content_id = $2",
                   {node, resource.content});
  }
}

Outcome write_catalog(Connection& connection, const Catalog& catalog, const Command& command) {
  const NodeRow node = lock_node(connection, catalog.certname);
  const std::optional<Succession> succession =
      succeed(connection, "catalog", node,
              {catalog.hash, catalog.producer_timestamp, catalog.environment, catalog.producer});
  if (!succession) return Outcome::kStale;
  if (succession->is_first) {
    connection.run(
        "INSERT INTO catalog(node_id, hash, producer_timestamp, timestamp, resource_count) VALUES "
        "($1, '', 0, 0, 0)",
        {node.id});
  }
  connection.run(
      "UPDATE catalog SET hash = $2, version = $3, transaction_uuid = $4, catalog_uuid = $5, "
      "code_id = $6, job_id = $7, environment_id = $8, producer_id = $9, producer_timestamp = "
      "$10, timestamp = $11 WHERE node_id = $1",
      {node.id, catalog.hash, catalog.version, value_of(catalog.transaction_uuid),
       value_of(catalog.catalog_uuid), value_of(catalog.code_id), value_of(catalog.job_id),
       succession->environment, succession->producer, catalog.producer_timestamp,
       catalog.received});
  if (succession->is_unchanged) return Outcome::kUnchanged;
  const std::shared_ptr<const Catalog> read = catalog.is_cut ? read_catalog(command) : nullptr;
  const Catalog& whole = read ? *read : catalog;
  connection.run("UPDATE catalog SET resource_count = $2 WHERE node_id = $1",
                 {node.id, static_cast<int64_t>(whole.resources.size())});
  connection.run(
      "INSERT INTO catalog_edges(node_id, edges) VALUES ($1, bk_pack($2)) ON CONFLICT(node_id) DO "
      "UPDATE SET edges = excluded.edges",
      {node.id, whole.edges});
  write_resources(connection, node.id, whole, succession->is_first);
  return Outcome::kStored;
}

}  // namespace

PreparedCommand prepare_catalog(const Command& command) {
  const auto split = split_body(command.body, kLargeKeys);
  std::shared_ptr<const Catalog> catalog = split ? read_known(command, *split) : nullptr;
  if (catalog != nullptr) {
    return {catalog->certname, [catalog, command](Connection& connection) {
              return write_catalog(connection, *catalog, command);
            }};
  }
  catalog = read_catalog(command);
  if (split) keep_hash(content_key(*catalog, *split), catalog->hash);
  return {catalog->certname,
          [catalog](Connection& connection) { return write_catalog(connection, *catalog, {}); }};
}

}  // namespace bunraku::store
