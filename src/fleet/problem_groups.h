// Groups the problems of many nodes by cause, so that one broken profile is reported once with all
// affected nodes.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/text/text_hash.h"
#include "fleet/outcome.h"

namespace bunraku {

struct ProblemGroup {
  NodeProblem problem;             // as for the first node
  std::vector<std::string> nodes;  // in the order of the fleet
  size_t wordings = 1;             // the number of different texts: some contain the node's name
};

class ProblemGroups {
 public:
  // Two problems have the same cause if they are of one kind and have the same place, or, without a
  // place, if their texts differ only in the node's name.
  void add(const std::string& node, const NodeProblem& problem);
  bool empty() const { return groups_.empty(); }
  size_t size() const { return groups_.size(); }
  // Sorted by the number of nodes, the largest first.
  std::vector<const ProblemGroup*> sorted() const;

 private:
  struct Group : ProblemGroup {
    std::unordered_map<std::string, bool, TextHash> texts;
  };
  std::unordered_map<std::string, size_t, TextHash> numbers_;
  std::vector<Group> groups_;
};

// Replaces the node's name and its short form by a mark, so that texts of different nodes can be
// compared.
std::string without_name(std::string_view text, std::string_view node);

}  // namespace bunraku
