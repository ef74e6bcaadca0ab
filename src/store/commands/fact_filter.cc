// Names and patterns of excluded facts.
#include "store/commands/fact_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/regex/regex.h"
#include "store/error.h"

namespace bunraku::store {

struct FactFilter::Rules {
  std::string text;
  std::set<std::string, std::less<>> names;
  std::vector<std::shared_ptr<const Regex>> patterns;
};

FactFilter::FactFilter(const std::vector<std::string>& names, bool are_patterns) {
  if (names.empty()) return;
  auto rules = std::make_shared<Rules>();
  for (const std::string& name : names) {
    rules->text += fmt::format("{} {}\n", are_patterns ? "~" : "=", name);
    if (!are_patterns) {
      rules->names.insert(name);
      continue;
    }
    try {
      // compiled alone first, so that an error shows only this pattern
      Regex::compile_at_run_time(name);
      rules->patterns.push_back(Regex::compile_at_run_time("\\A(?:" + name + ")\\z"));
    } catch (const RegexError& error) {
      throw StoreError(StoreErrorKind::kInput,
                       fmt::format("facts-blocklist has '{}', which is no regular expression: {}",
                                   name, error.what()));
    }
  }
  rules_ = std::move(rules);
}

bool FactFilter::keeps(std::string_view name) const {
  if (rules_ == nullptr) return true;
  if (rules_->names.contains(name)) return false;
  try {
    return std::ranges::none_of(rules_->patterns,
                                [&](const auto& pattern) { return pattern->matches(name); });
  } catch (const RegexError& error) {
    throw StoreError(StoreErrorKind::kInput,
                     fmt::format("The name of a fact cannot be compared with facts-blocklist: {}",
                                 error.what()));
  }
}

std::string_view FactFilter::text() const {
  return rules_ == nullptr ? std::string_view() : std::string_view(rules_->text);
}

}  // namespace bunraku::store
