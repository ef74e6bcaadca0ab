#include "catalog/difference/ignore_rules.h"

#include <algorithm>

namespace bunraku {
namespace {

bool matches(std::string_view pattern, std::string_view text) {
  size_t at = 0, in = 0, star = std::string_view::npos, star_in = 0;
  while (in < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      star_in = in;
    } else if (at < pattern.size() && (pattern[at] == '?' || pattern[at] == text[in])) {
      ++at, ++in;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      in = ++star_in;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

bool is_parameter_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '*' || c == '?';
  });
}

}  // namespace

bool IgnoreRules::add(std::string_view rule) {
  Rule added{std::string(rule), {}};
  // Names of types begin with a capital letter, those of parameters do not.
  const size_t colons = rule.rfind("::");
  if (colons != std::string_view::npos && colons > 0 &&
      is_parameter_name(rule.substr(colons + 2)) &&
      (rule.find(']') == std::string_view::npos || rule.rfind(']') < colons)) {
    added.resource = rule.substr(0, colons);
    added.parameter = rule.substr(colons + 2);
  }
  std::string& resource = added.resource;
  if (resource.empty()) return false;
  if (resource.find('[') == std::string::npos) {
    resource += "[*]";
  } else if (!resource.ends_with(']')) {
    return false;
  }
  rules_.push_back(std::move(added));
  return true;
}

bool IgnoreRules::ignores_resource(std::string_view reference) const {
  return std::ranges::any_of(rules_, [&](const Rule& rule) {
    return rule.parameter.empty() && matches(rule.resource, reference);
  });
}

bool IgnoreRules::ignores_parameter(std::string_view reference, std::string_view parameter) const {
  return std::ranges::any_of(rules_, [&](const Rule& rule) {
    return !rule.parameter.empty() && matches(rule.parameter, parameter) &&
           matches(rule.resource, reference);
  });
}

}  // namespace bunraku
