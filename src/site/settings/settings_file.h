// Parsing of settings files, shared by puppet.conf and environment.conf.
#pragma once

#include <sys/types.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bunraku {

// The options in braces after a value: "{ owner = root, group = service, mode = 0771 }".
struct FileOptions {
  std::string owner;  // empty, or (after check_owners()) "root" or "service"
  std::string group;  // the same
  std::optional<mode_t> mode;
  size_t line = 0;  // in the file
};

struct SettingsFileSection {
  std::string name;
  // In the order of the file; the first value of a repeated name counts. Quotes around values and
  // options in braces are removed.
  std::vector<std::pair<std::string, std::string>> values;
  std::vector<size_t> lines;  // of `values`, in the file
  // The options in braces, by the name of the setting; only for settings that have any.
  std::vector<std::pair<std::string, FileOptions>> file_options;

  // Returns null when it is not set.
  const std::string* find(std::string_view setting) const;
  // Returns 0 when it is not set.
  size_t line_of(std::string_view setting) const;
};

// A value of a file or the command line as settings store it: without a quote at either end, even
// an unmatched one, and without trailing blanks.
std::string_view without_quotes(std::string_view value);

// Throws EvaluationError with the place for owners and groups other than "root" and "service". The
// reference checks only the sections of puppet.conf that a run uses.
void check_owners(const SettingsFileSection& section, const std::string& path);

// Returns "main", which has the lines before any heading, and then the other sections in order.
// Throws EvaluationError with the place for a section that is not in `allowed` (if that is not
// empty), a malformed line, and unknown options in braces.
std::vector<SettingsFileSection> parse_settings_file(
    std::string_view text, const std::string& path, std::span<const std::string_view> allowed = {});

}  // namespace bunraku
