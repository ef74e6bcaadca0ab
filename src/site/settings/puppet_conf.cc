#include "site/settings/puppet_conf.h"

namespace bunraku {
namespace {

constexpr std::string_view kSections[] = {"main", "server", "master", "agent", "user"};

}  // namespace

std::vector<SettingsFileSection> parse_puppet_conf(std::string_view text, const std::string& path) {
  return parse_settings_file(text, path, kSections);
}

}  // namespace bunraku
