// Files of settings: what puppet.conf and environment.conf have in common.
#pragma once

#include <sys/types.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bunraku {

// What stands in braces behind a value: "{ owner = root, group = service, mode = 0771 }".
struct FileOptions {
  std::string owner;  // "root" or "service" where check_owners() has been called, or empty
  std::string group;  // the same
  std::optional<mode_t> mode;
  size_t line = 0;  // in the file
};

struct SettingsFileSection {
  std::string name;
  // In the order of the file; of a name that stands there twice the first counts. Without the
  // quotes around values, and without owner, group and mode in braces behind them.
  std::vector<std::pair<std::string, std::string>> values;
  // What stood in braces, by the name of the setting; for settings that have any.
  std::vector<std::pair<std::string, FileOptions>> file_options;

  // Null when it is not set.
  const std::string* find(std::string_view setting) const;
};

// A value of a file or of the command line as settings hold it: without a quote at each end,
// whatever stands at the other end, and without blanks at its end.
std::string_view without_quotes(std::string_view value);

// Throws EvaluationError, with the place, for owners and groups that are neither "root" nor
// "service". The reference looks only at sections of puppet.conf that a run uses.
void check_owners(const SettingsFileSection& section, const std::string& path);

// "main", which holds what stands before any heading, and the other sections in their order. Throws
// EvaluationError, with the place, for a section that is not among `allowed` (where any are named),
// a line that is no setting, and braces that hold something else.
std::vector<SettingsFileSection> parse_settings_file(
    std::string_view text, const std::string& path, std::span<const std::string_view> allowed = {});

}  // namespace bunraku
