// environment.conf: the settings of one environment.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics/diagnostic.h"

namespace bunraku {

// The settings of the file, interpolated and checked; absent ones are not set.
struct EnvironmentConf {
  // As written in the file.
  std::optional<std::string> written_manifest;
  std::optional<std::string> raw_manifest;             // absolute, unless it begins with a variable
  std::optional<std::string> manifest;                 // absolute
  std::optional<std::vector<std::string>> modulepath;  // absolute directories, patterns expanded
  std::optional<std::string> config_version;
  Range config_version_line;                       // in the file
  std::optional<std::string> environment_timeout;  // seconds, or "unlimited"
  std::optional<bool> static_catalogs;
  std::optional<bool> rich_data;
  std::optional<std::string> environment_data_provider;
  // The reference's message for the first value that is neither true nor false, reported when a
  // compilation reads the settings. Empty: none.
  std::string wrong_boolean;
  // The reference's messages for unknown keys and sections, which are ignored, and for $environment
  // where it is not allowed.
  std::vector<std::string> warnings;
};

using SettingLookup = std::vector<std::pair<std::string_view, std::string>>;

// Parses the text of `path`, the file of the environment `name`. `settings` has the values of
// `$name` and `${name}`. Throws EvaluationError for malformed lines, unknown variables, and values
// of a wrong form.
EnvironmentConf parse_environment_conf(std::string_view text, const std::string& path,
                                       std::string_view name, const SettingLookup& settings);

}  // namespace bunraku
