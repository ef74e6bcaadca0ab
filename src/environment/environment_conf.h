// environment.conf: what one environment sets for itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bunraku {

// The file's settings as written, interpolation undone: what is not set is absent.
struct EnvironmentConf {
  std::optional<std::string> manifest;
  std::optional<std::string> modulepath;
  std::optional<std::string> config_version;
  std::optional<std::string> environment_timeout;
  std::optional<std::string> static_catalogs;
  std::optional<std::string> rich_data;
  std::optional<std::string> environment_data_provider;
  // In the reference's words: unknown keys and sections, which are ignored.
  std::vector<std::string> warnings;
};

using SettingLookup = std::vector<std::pair<std::string_view, std::string>>;

// Parses the text of `path`. `$name` and `${name}` take their value from `settings`; a name that is
// not among them stays as it is. Throws EvaluationError for a line that is no setting.
EnvironmentConf parse_environment_conf(std::string_view text, const std::string& path,
                                       const SettingLookup& settings);

}  // namespace bunraku
