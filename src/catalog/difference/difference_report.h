// Differences as text, JSON and HTML page: of one pair of catalogs, or of many nodes, where a
// change that is the same on many nodes is shown once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/difference/catalog_difference.h"

namespace bunraku {

class JsonWriter;

// One change and the nodes that have it; for a single pair of catalogs there are no node names.
struct SharedChange {
  ResourceChange change;
  std::vector<std::string> nodes;
  // The change as the first node has it; the other nodes have their own names in place of that
  // node's.
  bool has_names = false;
};

struct DifferenceReport {
  std::string before;  // the names of the compared sides
  std::string after;
  std::vector<SharedChange> changes;
  // A text, the nodes that it applies to, and the place as data.
  struct Note {
    std::string text;  // with the place
    std::vector<std::string> nodes;
    std::string file = {};  // empty where no place is known
    uint32_t line = 0;      // 0 when not known
    uint32_t column = 0;
  };
  std::vector<Note> cycles;    // of relationships, which only the newer side has
  std::vector<Note> failures;  // nodes that could not be compared, by the cause
  size_t nodes = 0;            // the number of compared nodes; 0 for a single pair
  size_t changed_nodes = 0;
};

// A text that is equal for equal changes; surrounding lines and places do not count.
std::string key_of(const ResourceChange& change);

std::string difference_text(const DifferenceReport& report, bool color);
void write_difference(JsonWriter& json, const DifferenceReport& report);
// A comment for a pull request: a table of the compared sides, and each change in a folded section.
std::string difference_markdown(const DifferenceReport& report);
// A GitHub workflow command for each change, at the line of its resource where that is known.
std::string github_annotations(const DifferenceReport& report);
// A GitLab Code Quality report.
std::string gitlab_report(const DifferenceReport& report);
// An HTML page that loads nothing else.
std::string difference_page(const DifferenceReport& report);

}  // namespace bunraku
