#include "environment/puppet_conf.h"

#include <fmt/core.h>

#include <algorithm>

#include "support/diagnostic.h"

namespace bunraku {
namespace {

constexpr std::string_view kSections[] = {"main", "server", "master", "agent", "user"};

// The reference refuses these three wherever they stand.
void check_environment_settings(const std::vector<SettingsFileSection>& sections) {
  std::string found;
  for (std::string_view name : {"modulepath", "manifest", "config_version"}) {
    const bool is_there = std::any_of(
        sections.begin(), sections.end(),
        [name](const SettingsFileSection& section) { return section.find(name) != nullptr; });
    if (is_there) found += fmt::format("{}{}", found.empty() ? "" : ", ", name);
  }
  if (found.empty()) return;
  throw EvaluationError(
      make_diagnostic(Issue::kInvalidSetting, {},
                      {fmt::format("Cannot set {} settings in puppet.conf", found)}),
      ErrorKind::kError);
}

}  // namespace

std::vector<SettingsFileSection> parse_puppet_conf(std::string_view text, const std::string& path) {
  std::vector<SettingsFileSection> sections = parse_settings_file(text, path, kSections);
  check_environment_settings(sections);
  return sections;
}

}  // namespace bunraku
