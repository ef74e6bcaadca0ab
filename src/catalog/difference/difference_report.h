// Differences as text, JSON and a page: of one pair of catalogs, or of a fleet's, where what is the
// same on many nodes is shown once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/difference/catalog_difference.h"

namespace bunraku {

class JsonWriter;

// One change, and the nodes that have it; of a single pair of catalogs, no nodes are named.
struct SharedChange {
  ResourceChange change;
  std::vector<std::string> nodes;
  // The change is that of the first node; the others have their own names where its name stands.
  bool has_names = false;
};

struct DifferenceReport {
  std::string before;  // what was compared, as people call it
  std::string after;
  std::vector<SharedChange> changes;
  // A circle of relationships that only the newer side has, as text, and its nodes.
  struct Note {
    std::string text;
    std::vector<std::string> nodes;
  };
  std::vector<Note> cycles;
  std::vector<Note> failures;  // nodes that could not be compared, by cause
  size_t nodes = 0;            // how many were compared; 0: a single pair
  size_t changed_nodes = 0;
};

// The change as one text, the same for the same change; lines around it and places do not count.
std::string key_of(const ResourceChange& change);

std::string difference_text(const DifferenceReport& report, bool color);
void write_difference(JsonWriter& json, const DifferenceReport& report);
// A comment for a pull request: a table of what was compared, and each change folded.
std::string difference_markdown(const DifferenceReport& report);
// A workflow command of GitHub's for each change, at the line of its resource where it is known.
std::string github_annotations(const DifferenceReport& report);
// A report of GitLab's Code Quality.
std::string gitlab_report(const DifferenceReport& report);
// A page without anything outside of it.
std::string difference_page(const DifferenceReport& report);

}  // namespace bunraku
