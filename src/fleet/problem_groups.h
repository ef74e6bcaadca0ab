// The problems of many nodes by what causes them, so that one broken profile is reported once with
// the nodes that it hits.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/text/text_hash.h"
#include "fleet/outcome.h"

namespace bunraku {

struct ProblemGroup {
  NodeProblem problem;             // as the first node had it
  std::vector<std::string> nodes;  // in the order of the fleet
  size_t wordings = 1;             // how many texts there were: some name the node
};

class ProblemGroups {
 public:
  // Two problems have one cause when they are of one kind and come from one place; of those without
  // a place, when their texts agree but for the node's name.
  void add(const std::string& node, const NodeProblem& problem);
  bool empty() const { return groups_.empty(); }
  size_t size() const { return groups_.size(); }
  // Problems of most nodes come first.
  std::vector<const ProblemGroup*> sorted() const;

 private:
  struct Group : ProblemGroup {
    std::unordered_map<std::string, bool, TextHash> texts;
  };
  std::unordered_map<std::string, size_t, TextHash> numbers_;
  std::vector<Group> groups_;
};

// The text with a mark in place of the node's name and of its short form: the same for all nodes
// when it differs only by them.
std::string without_name(std::string text, std::string_view node);

// "a, b, c and 397 more"
std::string names_text(const std::vector<std::string>& names, size_t most);

}  // namespace bunraku
