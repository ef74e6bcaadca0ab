// Relationships and containment of a catalog, and the search for cycles.
#include "catalog/document/catalog_relations.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace bunraku {

CatalogRelations::CatalogRelations(const CatalogDocument& catalog) : catalog_(catalog) {
  for (size_t i = 0; i < catalog.resources.size(); ++i) {
    const DocumentResource& resource = catalog.resources[i];
    numbers_.emplace(resource.reference, i);
    for (const DocumentParameter& parameter : resource.parameters) {
      if (!parameter.is_relationship()) continue;
      add_relationships(resource.reference, parameter.name, parameter.value);
    }
  }
  for (const ContainmentEdge& edge : catalog.edges) {
    containment_.push_back({edge.source, edge.target});
  }
  for (std::vector<DocumentEdge>* edges : {&containment_, &relationships_}) {
    std::ranges::sort(*edges);
    const auto repeated = std::ranges::unique(*edges);
    edges->erase(repeated.begin(), repeated.end());
  }
}

void CatalogRelations::add_relationships(std::string_view reference, std::string_view parameter,
                                         const DataNode& value) {
  if (value.is(DataKind::kArray)) {
    for (const DataNode& item : value.items()) {
      // The format has arrays of one level only; an item of a deeper one is not a reference.
      if (item.is(DataKind::kString)) add_relationships(reference, parameter, item);
    }
    return;
  }
  if (!value.is(DataKind::kString)) return;
  const bool is_earlier = parameter == "before" || parameter == "notify";
  const bool is_notifying = parameter == "notify" || parameter == "subscribe";
  const std::string_view other = value.text_value();
  relationships_.push_back(
      {is_earlier ? reference : other, is_earlier ? other : reference, is_notifying});
}

const DocumentResource* CatalogRelations::find(std::string_view reference) const {
  const auto found = numbers_.find(reference);
  return found == numbers_.end() ? nullptr : &catalog_.resources[found->second];
}

// Each resource is two vertices, its begin and its end, so that a predecessor of a container
// precedes all that the container holds.
std::vector<std::string_view> CatalogRelations::find_cycle() const {
  std::vector<std::vector<uint32_t>> next(catalog_.resources.size() * 2);
  const auto number_of = [&](std::string_view reference) {
    const auto found = numbers_.find(reference);
    return found == numbers_.end() ? UINT32_MAX : static_cast<uint32_t>(found->second);
  };
  for (uint32_t i = 0; i < catalog_.resources.size(); ++i) next[i * 2].push_back(i * 2 + 1);
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
  std::vector<std::pair<uint32_t, size_t>> path;  // vertex, and the index of its next edge
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
      std::vector<std::string_view> cycle;
      for (; at < path.size(); ++at) {
        const std::string_view reference = catalog_.resources[path[at].first / 2].reference;
        if (cycle.empty() || cycle.back() != reference) cycle.push_back(reference);
      }
      if (cycle.size() > 1 && cycle.front() == cycle.back()) cycle.pop_back();
      return cycle;
    }
  }
  return {};
}

}  // namespace bunraku
