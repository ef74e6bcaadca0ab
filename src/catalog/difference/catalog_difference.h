// The difference of two catalogs in meaning: resources, their parameters, containment, and the
// order that relationships require. Identifiers, versions and source lines do not count.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/difference/ignore_rules.h"
#include "catalog/document/catalog_document.h"

namespace bunraku {

enum class ChangeKind : uint8_t { kAdded, kRemoved, kChanged };
std::string_view name_of(ChangeKind kind);

struct ChangedLine {
  char sign;  // ' ', '-', '+'; '@' for a gap
  std::string text;
};

// The change of one parameter, or of one key in a hash that both catalogs have:
// "options.log.level". Values are JSON; Sensitive ones are never written.
struct ParameterChange {
  ChangeKind kind;
  std::string name;
  bool is_sensitive = false;
  std::string before;              // empty for an added parameter
  std::string after;               // empty for a removed parameter
  std::vector<ChangedLine> lines;  // for texts of several lines, instead of the two values
};

struct ResourceChange {
  ChangeKind kind;
  std::string reference;
  std::string place;  // "FILE:LINE" of the newer resource, or of the removed one; may be empty
  std::vector<ParameterChange> parameters;
  // Changes of containment and relationships, for a resource in both catalogs: "contained in
  // Class[A]", "before File[b]".
  std::vector<std::string> removed_edges;
  std::vector<std::string> added_edges;
};

struct CatalogDifference {
  std::vector<ResourceChange> resources;  // sorted by reference
  // A cycle of relationships that only the newer catalog has.
  std::vector<std::string> cycle;
  bool empty() const { return resources.empty() && cycle.empty(); }
};

struct DifferenceOptions {
  IgnoreRules ignored;
  bool with_tags = false;  // compare tags, as a parameter
};

CatalogDifference compare_catalogs(const CatalogDocument& before, const CatalogDocument& after,
                                   const DifferenceOptions& options);

}  // namespace bunraku
