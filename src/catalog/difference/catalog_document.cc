#include "catalog/difference/catalog_document.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/formats/json.h"

namespace bunraku {
namespace {

std::string_view text_of(const DataNode* node) {
  return node != nullptr && node->is(DataKind::kString) ? node->text_value() : std::string_view();
}

const DataNode& member(const DataNode& node, std::string_view key, DataKind kind,
                       std::string_view what) {
  const DataNode* found = node.find(key);
  if (found == nullptr || !found->is(kind)) {
    throw DataError(fmt::format("{} without \"{}\"", what, key));
  }
  return *found;
}

bool is_relationship(std::string_view name) {
  return name == "before" || name == "require" || name == "notify" || name == "subscribe";
}

bool is_marked_sensitive(const DataNode& value) {
  return value.is(DataKind::kHash) && text_of(value.find("__ptype")) == "Sensitive";
}

// Does a value hold something Sensitive anywhere?
bool holds_sensitive(const DataNode& value) {
  if (is_marked_sensitive(value)) return true;
  if (value.is(DataKind::kArray)) {
    return std::any_of(value.items().begin(), value.items().end(), holds_sensitive);
  }
  if (!value.is(DataKind::kHash)) return false;
  return std::any_of(value.entries().begin(), value.entries().end(),
                     [](const DataEntry& entry) { return holds_sensitive(entry.value); });
}

}  // namespace

const DocumentParameter* DocumentResource::find(std::string_view name) const {
  for (const DocumentParameter& parameter : parameters) {
    if (parameter.name == name) return &parameter;
  }
  return nullptr;
}

CatalogDocument::CatalogDocument(std::string text, std::string_view name) : text_(std::move(text)) {
  try {
    const DataNode root = read_json(text_, arena_);
    const DataNode* data = root.is(DataKind::kHash) ? root.find("data") : nullptr;
    read(data != nullptr && data->find("resources") != nullptr ? *data : root);
  } catch (const DataError& error) {
    throw DataError(fmt::format("{} is no catalog: {}", name, error.what()));
  }
}

void CatalogDocument::read(const DataNode& catalog) {
  if (!catalog.is(DataKind::kHash)) throw DataError("it is not an object");
  name_ = text_of(catalog.find("name"));
  environment_ = text_of(catalog.find("environment"));
  for (const DataNode& resource :
       member(catalog, "resources", DataKind::kArray, "an object").items()) {
    read_resource(resource);
  }
  for (const DataNode& edge : member(catalog, "edges", DataKind::kArray, "an object").items()) {
    containment_.push_back(
        {std::string(member(edge, "source", DataKind::kString, "an edge").text_value()),
         std::string(member(edge, "target", DataKind::kString, "an edge").text_value())});
  }
  for (std::vector<DocumentEdge>* edges : {&containment_, &relationships_}) {
    std::sort(edges->begin(), edges->end());
    edges->erase(std::unique(edges->begin(), edges->end()), edges->end());
  }
}

void CatalogDocument::read_resource(const DataNode& node) {
  DocumentResource resource;
  resource.type = member(node, "type", DataKind::kString, "a resource").text_value();
  resource.title = member(node, "title", DataKind::kString, "a resource").text_value();
  resource.reference = fmt::format("{}[{}]", resource.type, resource.title);
  resource.file = text_of(node.find("file"));
  if (const DataNode* line = node.find("line"); line != nullptr && line->is(DataKind::kInteger)) {
    resource.line = line->integer_value();
  }
  if (const DataNode* exported = node.find("exported");
      exported != nullptr && exported->is(DataKind::kBoolean)) {
    resource.is_exported = exported->boolean_value();
  }
  const auto texts = [&](std::string_view key) {
    std::vector<std::string_view> all;
    const DataNode* list = node.find(key);
    if (list == nullptr || !list->is(DataKind::kArray)) return all;
    for (const DataNode& item : list->items()) all.push_back(text_of(&item));
    return all;
  };
  resource.tags = texts("tags");
  const std::vector<std::string_view> sensitive = texts("sensitive_parameters");
  const DataNode* parameters = node.find("parameters");
  if (parameters != nullptr && parameters->is(DataKind::kHash)) {
    for (const DataEntry& entry : parameters->entries()) {
      const std::string_view name = text_of(&entry.key);
      if (is_relationship(name)) {
        add_relationships(resource.reference, name, entry.value);
        continue;
      }
      const bool is_sensitive =
          std::find(sensitive.begin(), sensitive.end(), name) != sensitive.end() ||
          holds_sensitive(entry.value);
      resource.parameters.push_back({name, entry.value, is_sensitive});
    }
  }
  numbers_.emplace(resource.reference, resources_.size());
  resources_.push_back(std::move(resource));
}

void CatalogDocument::add_relationships(const std::string& reference, std::string_view parameter,
                                        const DataNode& value) {
  if (value.is(DataKind::kArray)) {
    for (const DataNode& item : value.items()) {
      // The form nests arrays no further; what does is no reference.
      if (item.is(DataKind::kString)) add_relationships(reference, parameter, item);
    }
    return;
  }
  if (!value.is(DataKind::kString)) return;
  const bool is_earlier = parameter == "before" || parameter == "notify";
  const bool is_notifying = parameter == "notify" || parameter == "subscribe";
  const std::string other(value.text_value());
  relationships_.push_back(
      {is_earlier ? reference : other, is_earlier ? other : reference, is_notifying});
}

const DocumentResource* CatalogDocument::find(const std::string& reference) const {
  const auto found = numbers_.find(reference);
  return found == numbers_.end() ? nullptr : &resources_[found->second];
}

// Each resource is two vertices, its begin and its end, so that what comes before a container comes
// before all that it holds.
std::vector<std::string> CatalogDocument::find_cycle() const {
  std::vector<std::vector<uint32_t>> next(resources_.size() * 2);
  const auto number_of = [&](const std::string& reference) {
    const auto found = numbers_.find(reference);
    return found == numbers_.end() ? UINT32_MAX : static_cast<uint32_t>(found->second);
  };
  for (uint32_t i = 0; i < resources_.size(); ++i) next[i * 2].push_back(i * 2 + 1);
  for (const DocumentEdge& edge : containment_) {
    const uint32_t container = number_of(edge.source), held = number_of(edge.target);
    if (container == UINT32_MAX || held == UINT32_MAX) continue;
    next[container * 2].push_back(held * 2);
    next[held * 2 + 1].push_back(container * 2 + 1);
  }
  for (const DocumentEdge& edge : relationships_) {
    const uint32_t before = number_of(edge.source), after = number_of(edge.target);
    if (before != UINT32_MAX && after != UINT32_MAX) next[before * 2 + 1].push_back(after * 2);
  }
  enum : uint8_t { kWhite, kGrey, kBlack };
  std::vector<uint8_t> color(next.size(), kWhite);
  std::vector<std::pair<uint32_t, size_t>> path;  // vertex, and the next of its edges
  for (uint32_t start = 0; start < next.size(); ++start) {
    if (color[start] != kWhite) continue;
    path.assign(1, {start, 0});
    color[start] = kGrey;
    while (!path.empty()) {
      auto& [vertex, edge] = path.back();
      if (edge == next[vertex].size()) {
        color[vertex] = kBlack;
        path.pop_back();
        continue;
      }
      const uint32_t target = next[vertex][edge++];
      if (color[target] == kBlack) continue;
      if (color[target] == kWhite) {
        color[target] = kGrey;
        path.emplace_back(target, 0);
        continue;
      }
      size_t at = path.size();
      while (path[--at].first != target) continue;
      std::vector<std::string> cycle;
      for (; at < path.size(); ++at) {
        const std::string& reference = resources_[path[at].first / 2].reference;
        if (cycle.empty() || cycle.back() != reference) cycle.push_back(reference);
      }
      if (cycle.size() > 1 && cycle.front() == cycle.back()) cycle.pop_back();
      return cycle;
    }
  }
  return {};
}

}  // namespace bunraku
