#include "fleet/problem_groups.h"

#include <fmt/format.h>

#include <algorithm>

namespace bunraku {
namespace {

// The maximum for counting different texts of one cause.
constexpr size_t kMostWordings = 100;
// Shorter names occur in many words.
constexpr size_t kShortestName = 4;

std::string key_of(const std::string& node, const NodeProblem& problem) {
  const std::string kind =
      fmt::format("{}\x1f{}\x1f", static_cast<int>(problem.severity), problem.code);
  if (!problem.file.empty()) {
    return fmt::format("{}{}\x1f{}\x1f{}", kind, problem.file, problem.line, problem.column);
  }
  return kind + without_name(problem.text, node);
}

}  // namespace

std::string without_name(std::string text, std::string_view node) {
  const std::string_view host = node.substr(0, node.find('.'));
  const auto replace = [&text](std::string_view name, std::string_view mark) {
    if (name.size() < kShortestName) return;
    for (size_t at; (at = text.find(name)) != std::string::npos;) {
      text.replace(at, name.size(), mark);
    }
  };
  replace(node, "\x1f");
  replace(host, "\x1e");
  return text;
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

std::string names_text(const std::vector<std::string>& names, size_t most) {
  std::string text;
  for (size_t i = 0; i < names.size() && i < most; ++i) {
    if (i > 0) text += ", ";
    text += names[i];
  }
  if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
  return text;
}

}  // namespace bunraku
