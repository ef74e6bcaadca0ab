// What differs between two catalogs in what they mean: resources, their parameters, what contains
// them, and the order that relationships ask for. Identifiers, versions and source lines do not
// count.
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
  char sign;  // ' ', '-', '+'; '@' for lines that are left out
  std::string text;
};

// One parameter, or of a hash that both catalogs have one of its keys: "options.log.level". Values
// are JSON; a Sensitive one is never written down.
struct ParameterChange {
  ChangeKind kind;
  std::string name;
  bool is_sensitive = false;
  std::string before;              // of what was added, empty
  std::string after;               // of what was removed, empty
  std::vector<ChangedLine> lines;  // of texts with several lines, in place of the two
};

struct ResourceChange {
  ChangeKind kind;
  std::string reference;
  std::string place;  // "FILE:LINE" of the newer one, or of what was removed; may be empty
  std::vector<ParameterChange> parameters;
  // Changes of containment and of relationships where both catalogs hold the resource:
  // "contained in Class[A]", "before File[b]".
  std::vector<std::string> removed_edges;
  std::vector<std::string> added_edges;
};

struct CatalogDifference {
  std::vector<ResourceChange> resources;  // sorted by reference
  // A circle of relationships that only the newer catalog has.
  std::vector<std::string> cycle;
  bool empty() const { return resources.empty() && cycle.empty(); }
};

struct DifferenceOptions {
  IgnoreRules ignored;
  bool with_tags = false;  // tags count as a parameter
};

CatalogDifference compare_catalogs(const CatalogDocument& before, const CatalogDocument& after,
                                   const DifferenceOptions& options);

}  // namespace bunraku
