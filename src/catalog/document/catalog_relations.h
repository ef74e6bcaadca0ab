// How the resources of a catalog stand to each other: what contains what, and what comes before
// what.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/text/text_hash.h"
#include "catalog/document/catalog_document.h"

namespace bunraku {

struct DocumentEdge {
  std::string_view source;
  std::string_view target;
  bool is_notifying = false;  // of relationships: ~> and not ->
  friend auto operator<=>(const DocumentEdge&, const DocumentEdge&) = default;
};

class CatalogRelations {
 public:
  // `catalog` must outlive this, and stay where it is.
  explicit CatalogRelations(const CatalogDocument& catalog);

  const CatalogDocument& catalog() const { return catalog_; }
  // Null when there is none.
  const DocumentResource* find(std::string_view reference) const;
  // Container and contained, each once, sorted.
  const std::vector<DocumentEdge>& containment() const { return containment_; }
  // What `before`, `require`, `notify` and `subscribe` say: earlier and later, each once, sorted.
  const std::vector<DocumentEdge>& relationships() const { return relationships_; }
  // Resources by reference that stand in a circle of relationships (containers included), in its
  // order; empty when there is none.
  std::vector<std::string_view> find_cycle() const;

 private:
  void add_relationships(std::string_view reference, std::string_view parameter,
                         const DataNode& value);

  const CatalogDocument& catalog_;
  std::unordered_map<std::string_view, size_t, TextHash> numbers_;
  std::vector<DocumentEdge> containment_;
  std::vector<DocumentEdge> relationships_;
};

}  // namespace bunraku
