#include "fleet/problem_groups.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/replacement.h"

namespace bunraku {
namespace {

// The maximum for counting different texts of one cause.
constexpr size_t kMostWordings = 100;
// Shorter names occur in many words, so they count only with a digit, and as whole words.
constexpr size_t kShortestName = 4;

std::string key_of(const std::string& node, const NodeProblem& problem) {
  const std::string kind =
      fmt::format("{}\x1f{}\x1f", static_cast<int>(problem.severity), problem.code);
  if (!problem.file.empty()) {
    return fmt::format("{}{}\x1f{}\x1f{}", kind, problem.file, problem.line, problem.column);
  }
  return kind + without_name(problem.text, node);
}

std::string without_part(std::string_view text, std::string_view name, std::string_view mark) {
  if (name.size() >= kShortestName) return replaced(text, name, mark);
  if (name.find_first_of("0123456789") == name.npos) return std::string(text);
  return replaced(text, name, mark, Occurrences::kWholeWords);
}

}  // namespace

std::string without_name(std::string_view text, std::string_view node) {
  return without_part(without_part(text, node, "\x1f"), node.substr(0, node.find('.')), "\x1e");
}

void ProblemGroups::add(const std::string& node, const NodeProblem& problem) {
  const auto [found, is_new] = numbers_.try_emplace(key_of(node, problem), groups_.size());
  if (is_new) groups_.emplace_back().problem = problem;
  Group& group = groups_[found->second];
  if (group.nodes.empty() || group.nodes.back() != node) group.nodes.push_back(node);
  if (group.texts.size() < kMostWordings) group.texts.try_emplace(problem.text, true);
  group.wordings = group.texts.size();
}

std::vector<const ProblemGroup*> ProblemGroups::sorted() const {
  std::vector<const ProblemGroup*> all;
  for (const Group& group : groups_) all.push_back(&group);
  std::ranges::stable_sort(all, [](const ProblemGroup* a, const ProblemGroup* b) {
    return a->nodes.size() > b->nodes.size();
  });
  return all;
}

}  // namespace bunraku
