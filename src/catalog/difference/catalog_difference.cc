#include "catalog/difference/catalog_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/formats/json.h"
#include "catalog/difference/line_difference.h"
#include "catalog/document/catalog_relations.h"

namespace bunraku {
namespace {

std::string json_of(const DataNode& value) {
  std::string text;
  JsonWriter(text).data(value);
  return text;
}

std::string place_of(const DocumentResource& resource) {
  if (resource.file.empty()) return {};
  return resource.line > 0 ? fmt::format("{}:{}", resource.file, resource.line)
                           : std::string(resource.file);
}

bool has_lines(const DataNode& value) {
  return value.is(DataKind::kString) && value.text_value().find('\n') != std::string_view::npos;
}

std::vector<ChangedLine> changed_lines(std::string_view before, std::string_view after) {
  std::vector<ChangedLine> lines;
  constexpr std::string_view kSigns = " -+@";
  for (const LineChange& line : line_difference(before, after)) {
    lines.push_back({kSigns[static_cast<size_t>(line.kind)], std::string(line.text)});
  }
  return lines;
}

ParameterChange one_sided(ChangeKind kind, const DocumentParameter& parameter) {
  ParameterChange change{kind, std::string(parameter.name), parameter.is_sensitive, {}, {}, {}};
  if (parameter.is_sensitive) return change;
  if (has_lines(parameter.value)) {
    const std::string_view text = parameter.value.text_value();
    change.lines = kind == ChangeKind::kAdded ? changed_lines({}, text) : changed_lines(text, {});
  } else {
    (kind == ChangeKind::kAdded ? change.after : change.before) = json_of(parameter.value);
  }
  return change;
}

ParameterChange both_sided(const DocumentParameter& before, const DocumentParameter& after) {
  ParameterChange change{ChangeKind::kChanged,
                         std::string(after.name),
                         before.is_sensitive || after.is_sensitive,
                         {},
                         {},
                         {}};
  if (change.is_sensitive) return change;
  const bool are_texts = before.value.is(DataKind::kString) && after.value.is(DataKind::kString);
  if (are_texts && (has_lines(before.value) || has_lines(after.value))) {
    change.lines = changed_lines(before.value.text_value(), after.value.text_value());
    // Texts that differ only in the last line end have no differing line.
    if (!change.lines.empty()) return change;
  }
  change.before = json_of(before.value);
  change.after = json_of(after.value);
  return change;
}

// Returns whether the hash is a plain one, not the form of another kind of value.
bool is_plain_hash(const DataNode& value) {
  return value.is(DataKind::kHash) && value.find("__ptype") == nullptr;
}

// A key as a part of a name; an ambiguous one is quoted.
std::string key_text(const DataNode& key) {
  if (!key.is(DataKind::kString)) return json_of(key);
  const std::string_view text = key.text_value();
  const bool is_plain = !text.empty() && text.find_first_of(".'\" \n") == text.npos;
  return is_plain ? std::string(text) : json_of(key);
}

// Adds the difference of two values of a parameter; hashes are compared key by key. The depth is
// bounded by the reader of catalogs.
void add_changes(const DocumentParameter& before, const DocumentParameter& after,
                 std::vector<ParameterChange>& changes) {
  const bool is_sensitive = before.is_sensitive || after.is_sensitive;
  if (is_sensitive || !is_plain_hash(before.value) || !is_plain_hash(after.value)) {
    changes.push_back(both_sided(before, after));
    return;
  }
  const auto member = [&](const DataEntry& entry, std::string& name) {
    name = fmt::format("{}.{}", after.name, key_text(entry.key));
    return DocumentParameter{name, entry.value};
  };
  const auto find = [](const DataNode& hash, const DataNode& key) -> const DataEntry* {
    for (const DataEntry& entry : hash.entries()) {
      if (entry.key == key) return &entry;
    }
    return nullptr;
  };
  const size_t known = changes.size();
  std::string name, other;
  for (const DataEntry& entry : before.value.entries()) {
    const DataEntry* newer = find(after.value, entry.key);
    if (newer == nullptr) {
      changes.push_back(one_sided(ChangeKind::kRemoved, member(entry, name)));
    } else if (!(newer->value == entry.value)) {
      add_changes(member(entry, name), member(*newer, other), changes);
    }
  }
  for (const DataEntry& entry : after.value.entries()) {
    if (find(before.value, entry.key) != nullptr) continue;
    changes.push_back(one_sided(ChangeKind::kAdded, member(entry, name)));
  }
  // Hashes that differ only in the order of keys have no differing key.
  if (changes.size() == known) changes.push_back(both_sided(before, after));
}

// The tags of a resource as a parameter, sorted because their order has no meaning.
DataNode tags_of(const DocumentResource& resource, Arena& arena) {
  std::vector<std::string_view> tags = resource.tags;
  std::ranges::sort(tags);
  auto* items = arena.make_array<DataNode>(tags.size());
  for (size_t i = 0; i < tags.size(); ++i) {
    items[i] = DataNode::text(DataKind::kString, tags[i]);
  }
  return DataNode::array({items, tags.size()});
}

using EdgeTexts = std::map<std::string, std::vector<std::string>>;  // by resource, sorted

// The texts of each resource's edges: its container, and the resources after it.
EdgeTexts edges_of(const CatalogRelations& catalog) {
  EdgeTexts texts;
  for (const DocumentEdge& edge : catalog.containment()) {
    texts[std::string(edge.target)].push_back(fmt::format("contained in {}", edge.source));
  }
  for (const DocumentEdge& edge : catalog.relationships()) {
    texts[std::string(edge.source)].push_back(
        fmt::format("{} {}", edge.is_notifying ? "notifies" : "before", edge.target));
  }
  for (auto& [resource, all] : texts) std::ranges::sort(all);
  return texts;
}

class Comparison {
 public:
  Comparison(const CatalogDocument& before, const CatalogDocument& after,
             const DifferenceOptions& options)
      : before_(before), after_(after), options_(options) {}

  CatalogDifference run() {
    for (const DocumentResource& resource : before_.catalog().resources) {
      if (after_.find(resource.reference) == nullptr) add(ChangeKind::kRemoved, resource);
    }
    const EdgeTexts before_edges = edges_of(before_), after_edges = edges_of(after_);
    for (const DocumentResource& resource : after_.catalog().resources) {
      const DocumentResource* older = before_.find(resource.reference);
      if (older == nullptr) {
        add(ChangeKind::kAdded, resource);
      } else {
        compare(*older, resource, before_edges, after_edges);
      }
    }
    std::vector<ResourceChange>& all = difference_.resources;
    std::ranges::sort(all, [](const ResourceChange& a, const ResourceChange& b) {
      return a.reference < b.reference;
    });
    const std::vector<std::string_view> cycle = after_.find_cycle();
    if (!cycle.empty() && before_.find_cycle().empty()) {
      difference_.cycle.assign(cycle.begin(), cycle.end());
    }
    return std::move(difference_);
  }

 private:
  bool is_ignored(const DocumentResource& resource, std::string_view parameter) const {
    return options_.ignored.ignores_parameter(resource.reference, parameter);
  }

  void add(ChangeKind kind, const DocumentResource& resource) {
    if (options_.ignored.ignores_resource(resource.reference)) return;
    ResourceChange change{kind, std::string(resource.reference), place_of(resource), {}, {}, {}};
    for (const DocumentParameter& parameter : resource.parameters) {
      if (parameter.is_relationship() || is_ignored(resource, parameter.name)) continue;
      change.parameters.push_back(one_sided(kind, parameter));
    }
    difference_.resources.push_back(std::move(change));
  }

  void compare(const DocumentResource& before, const DocumentResource& after,
               const EdgeTexts& before_edges, const EdgeTexts& after_edges) {
    if (options_.ignored.ignores_resource(after.reference)) return;
    ResourceChange change{
        ChangeKind::kChanged, std::string(after.reference), place_of(after), {}, {}, {}};
    for (const DocumentParameter& parameter : before.parameters) {
      if (parameter.is_relationship() || is_ignored(after, parameter.name)) continue;
      const DocumentParameter* newer = after.find(parameter.name);
      if (newer == nullptr) {
        change.parameters.push_back(one_sided(ChangeKind::kRemoved, parameter));
      } else if (!(newer->value == parameter.value) ||
                 newer->is_sensitive != parameter.is_sensitive) {
        add_changes(parameter, *newer, change.parameters);
      }
    }
    for (const DocumentParameter& parameter : after.parameters) {
      if (parameter.is_relationship() || before.find(parameter.name) != nullptr ||
          is_ignored(after, parameter.name)) {
        continue;
      }
      change.parameters.push_back(one_sided(ChangeKind::kAdded, parameter));
    }
    if (before.is_exported != after.is_exported && !is_ignored(after, "exported")) {
      change.parameters.push_back({ChangeKind::kChanged,
                                   "exported",
                                   false,
                                   before.is_exported ? "true" : "false",
                                   after.is_exported ? "true" : "false",
                                   {}});
    }
    if (options_.with_tags && !is_ignored(after, "tags")) {
      const DocumentParameter older{"tags", tags_of(before, arena_)};
      const DocumentParameter newer{"tags", tags_of(after, arena_)};
      if (!(older.value == newer.value)) change.parameters.push_back(both_sided(older, newer));
    }
    if (!is_ignored(after, "edges")) compare_edges(change, before_edges, after_edges);
    if (!change.parameters.empty() || !change.removed_edges.empty() ||
        !change.added_edges.empty()) {
      difference_.resources.push_back(std::move(change));
    }
  }

  static void compare_edges(ResourceChange& change, const EdgeTexts& before,
                            const EdgeTexts& after) {
    static const std::vector<std::string> kNone;
    const auto of = [&](const EdgeTexts& edges) -> const std::vector<std::string>& {
      const auto found = edges.find(change.reference);
      return found == edges.end() ? kNone : found->second;
    };
    const auto &older = of(before), &newer = of(after);
    std::ranges::set_difference(older, newer, std::back_inserter(change.removed_edges));
    std::ranges::set_difference(newer, older, std::back_inserter(change.added_edges));
  }

  const CatalogRelations before_;
  const CatalogRelations after_;
  const DifferenceOptions& options_;
  Arena arena_;
  CatalogDifference difference_;
};

}  // namespace

std::string_view name_of(ChangeKind kind) {
  constexpr std::string_view kNames[] = {"added", "removed", "changed"};
  return kNames[static_cast<size_t>(kind)];
}

CatalogDifference compare_catalogs(const CatalogDocument& before, const CatalogDocument& after,
                                   const DifferenceOptions& options) {
  return Comparison(before, after, options).run();
}

}  // namespace bunraku
