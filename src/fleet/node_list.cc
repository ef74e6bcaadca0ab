#include "fleet/node_list.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <map>

#include "base/diagnostics/diagnostic.h"
#include "base/formats/data_builder.h"
#include "base/formats/json.h"
#include "base/regex/regex.h"
#include "base/text/digest.h"
#include "site/environment/files.h"
#include "site/node/facts.h"

namespace bunraku {

struct NodeList::Document {
  Arena arena;
  std::vector<std::unique_ptr<DataNode>> facts;
};

namespace {

[[noreturn]] void fail(std::string message) {
  throw EvaluationError(make_diagnostic(Issue::kInvalidNodeList, Range{}, {std::move(message)}),
                        ErrorKind::kError);
}

bool is_facts_file(std::string_view name) {
  return name.ends_with(".yaml") || name.ends_with(".yml") || name.ends_with(".json");
}

std::string stem_of(std::string_view path) {
  const std::string_view name = file_name_of(path);
  return std::string(name.substr(0, name.rfind('.')));
}

std::string_view text_member(const DataNode& node, std::string_view key) {
  const DataNode* found = node.find(key);
  return found != nullptr && found->is(DataKind::kString) ? found->text_value()
                                                          : std::string_view();
}

// The facts of a factset are a list of names and values, or under `data`.
DataNode facts_in(const DataNode& entry, Arena& arena) {
  const DataNode* facts = entry.find("facts");
  if (facts == nullptr) facts = entry.find("values");
  if (facts == nullptr) return DataNode::hash({});
  if (const DataNode* data = facts->find("data"); data != nullptr && data->is(DataKind::kArray)) {
    facts = data;
  }
  if (facts->is(DataKind::kHash)) return *facts;
  if (!facts->is(DataKind::kArray)) return DataNode::hash({});
  DataHashBuilder all;
  for (const DataNode& fact : facts->items()) {
    const DataNode* name = fact.find("name");
    const DataNode* value = fact.find("value");
    if (name != nullptr && value != nullptr) all.set(*name, *value);
  }
  return all.finish(arena);
}

Value with_name(Value facts, const std::string& name, Arena& arena) {
  const size_t dot = name.find('.');
  const Value fqdn = Value::string(arena, name);
  const Value hostname = Value::string(arena, name.substr(0, dot));
  const Value domain =
      Value::string(arena, dot == std::string::npos ? "" : std::string_view(name).substr(dot + 1));
  const auto rename = [&](HashBuilder& hash, bool adds) {
    const auto set = [&](std::string_view key, Value value) {
      if (adds || hash.find(Value::string(key)) != nullptr) hash.set(key, value);
    };
    set("fqdn", fqdn);
    set("hostname", hostname);
    set("domain", domain);
  };
  HashBuilder all(arena, facts.as_hash().size + 1);
  all.set_all(facts.as_hash());
  rename(all, false);
  all.set("clientcert", fqdn);
  HashBuilder networking(arena);
  const Value* given = all.find(Value::string("networking"));
  if (given != nullptr && given->is_hash()) networking.set_all(given->as_hash());
  rename(networking, true);
  all.set("networking", networking.finish());
  return all.finish();
}

}  // namespace

void NodeList::add(const std::string& path) {
  if (is_directory(path)) return add_directory(path);
  if (!exists(path)) fail(fmt::format("There are no facts at {}", path));
  if (add_export(path)) return;
  nodes_.push_back({stem_of(path), path});
}

void NodeList::add_directory(const std::string& directory) {
  for (const DirectoryEntry& entry : list_directory(directory)) {
    if (entry.is_directory || entry.name.starts_with('.') || !is_facts_file(entry.name)) continue;
    nodes_.push_back({stem_of(entry.name), join_path(directory, entry.name)});
  }
}

// A JSON file with an array is an export; any other file has one node's facts.
bool NodeList::add_export(const std::string& path) {
  const std::string text = read_environment_file(path);
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || text[first] != '[') return false;
  auto document = std::make_shared<Document>();
  DataNode entries;
  try {
    entries = read_json(document->arena.copy(text), document->arena);
  } catch (const DataError& error) {
    fail(fmt::format("Could not read {}: {}", path, error.what()));
  }
  std::map<std::string, DataHashBuilder, std::less<>> single_facts;
  const auto keep = [&](std::string name, DataNode facts) {
    document->facts.push_back(std::make_unique<DataNode>(facts));
    nodes_.push_back({std::move(name), path, false, document->facts.back().get()});
  };
  for (const DataNode& entry : entries.items()) {
    const std::string_view name = text_member(entry, "certname");
    if (name.empty()) {
      fail(fmt::format("{} holds an entry without a certname; it is no export of facts", path));
    }
    const DataNode* fact = entry.find("name");
    const DataNode* value = entry.find("value");
    if (fact != nullptr && value != nullptr) {
      single_facts[std::string(name)].set(*fact, *value);
    } else {
      keep(std::string(name), facts_in(entry, document->arena));
    }
  }
  for (auto& [name, facts] : single_facts) keep(name, facts.finish(document->arena));
  documents_.push_back(std::move(document));
  return true;
}

void NodeList::add_listed(const std::string& path) {
  const std::string text = read_environment_file(path);
  std::string_view rest = text;
  for (size_t line = 1; !rest.empty(); ++line) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view words = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    words = words.substr(0, words.find('#'));
    constexpr std::string_view kBlanks = " \t\r";
    const auto next = [&] {
      const size_t begin = std::min(words.find_first_not_of(kBlanks), words.size());
      const size_t stop = std::min(words.find_first_of(kBlanks, begin), words.size());
      const std::string_view word = words.substr(begin, stop - begin);
      words.remove_prefix(stop);
      return word;
    };
    const std::string_view name = next();
    if (name.empty()) continue;
    const std::string_view facts = next();
    if (facts.empty() || !next().empty()) {
      fail(fmt::format("A line of a node list is a name and a file of facts (file: {}, line: {})",
                       path, line));
    }
    nodes_.push_back({std::string(name), join_path(parent_directory(path), facts), true});
  }
}

void NodeList::finish() {
  std::ranges::stable_sort(nodes_,
                           [](const FleetNode& a, const FleetNode& b) { return a.name < b.name; });
  for (size_t i = 1; i < nodes_.size(); ++i) {
    if (nodes_[i].name != nodes_[i - 1].name) continue;
    fail(fmt::format("The node {} has facts in {} and in {}", nodes_[i].name, nodes_[i - 1].path,
                     nodes_[i].path));
  }
}

void NodeList::keep_only(const std::vector<std::string>& patterns) {
  const auto matches = [](const std::string& pattern, const std::string& name) {
    if (pattern.size() > 2 && pattern.front() == '/' && pattern.back() == '/') {
      return Regex::compile(std::string_view(pattern).substr(1, pattern.size() - 2))->matches(name);
    }
    return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
  };
  std::erase_if(nodes_, [&](const FleetNode& node) {
    return std::ranges::none_of(
        patterns, [&](const std::string& pattern) { return matches(pattern, node.name); });
  });
}

void NodeList::keep_shard(uint32_t index, uint32_t count) {
  std::erase_if(nodes_,
                [&](const FleetNode& node) { return crc32(node.name) % count != index - 1; });
}

Value facts_of(const FleetNode& node, Arena& arena) {
  if (node.facts != nullptr) return facts_from(arena, *node.facts);
  if (node.path.empty()) return HashBuilder(arena).finish();
  const Value facts = read_facts(arena, read_environment_file(node.path), node.path);
  return node.takes_name ? with_name(facts, node.name, arena) : facts;
}

}  // namespace bunraku
