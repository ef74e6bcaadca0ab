// environment.conf: what one environment sets for itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bunraku {

// The file's settings as they count: interpolated and checked; what is not set is absent.
struct EnvironmentConf {
  // As it stands in the file.
  std::optional<std::string> written_manifest;
  std::optional<std::string> raw_manifest;             // absolute, unless it begins with a variable
  std::optional<std::string> manifest;                 // absolute
  std::optional<std::vector<std::string>> modulepath;  // absolute directories, patterns expanded
  std::optional<std::string> config_version;
  std::optional<std::string> environment_timeout;  // seconds, or "unlimited"
  std::optional<bool> static_catalogs;
  std::optional<bool> rich_data;
  std::optional<std::string> environment_data_provider;
  // The first that is neither true nor false, in the reference's words: reported when a compilation
  // asks for the settings. Empty: none.
  std::string wrong_boolean;
  // In the reference's words: unknown keys and sections, which are ignored, and $environment where
  // it cannot be.
  std::vector<std::string> warnings;
};

using SettingLookup = std::vector<std::pair<std::string_view, std::string>>;

// Parses the text of `path`, the file of the environment `name`. `$name` and `${name}` take their
// value from `settings`. Throws EvaluationError for a line that is no setting, a variable that is
// no setting, and a value of the wrong form.
EnvironmentConf parse_environment_conf(std::string_view text, const std::string& path,
                                       std::string_view name, const SettingLookup& settings);

}  // namespace bunraku
