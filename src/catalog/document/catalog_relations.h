// The relations of a catalog's resources: containment and order.
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
  // Returns null when the catalog does not have it.
  const DocumentResource* find(std::string_view reference) const;
  // Edges from container to contained resource, sorted, without duplicates.
  const std::vector<DocumentEdge>& containment() const { return containment_; }
  // Edges from `before`, `require`, `notify` and `subscribe`, from the earlier to the later
  // resource, sorted, without duplicates.
  const std::vector<DocumentEdge>& relationships() const { return relationships_; }
  // The references of resources that form a cycle of relationships (with containment), in the
  // cycle's order; empty when there is none.
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
