// The settings: from the command line, then puppet.conf, then the reference's defaults.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/diagnostics/diagnostic.h"
#include "base/diagnostics/log.h"
#include "site/settings/settings_file.h"
#include "site/settings/settings_table.h"

namespace bunraku {

struct Repository;

struct SettingsSources {
  // Names and values on the command line. The last value of a repeated name counts. Names must be
  // known.
  std::vector<std::pair<std::string, std::string>> command_line;
  // The section of puppet.conf that takes precedence over [main]: "server", "agent", "user" or
  // "main" itself.
  std::string section = "main";
  // The repository that acts as an environment, with the settings of its bunraku.toml; null: none.
  std::shared_ptr<const Repository> repository = nullptr;
};

// A problem of a configuration file, to be logged.
struct SettingsProblem {
  Severity severity;
  std::string message;
};

inline constexpr std::string_view kDefaultManifestMustBeAbsolute =
    "The 'default_manifest' setting must be set to an absolute path when "
    "'disable_per_environment_manifest' is true";

void log_problems(const std::vector<SettingsProblem>& problems, LogSink& log);

// The default directory of an authority that is outside the ssldir: beside the confdir of the
// vendor's packages, and within any other confdir.
std::string default_cadir(const std::string& confdir);

// Checks and converts a value of the setting: files become absolute, durations seconds. Throws
// EvaluationError for a value of a wrong form.
std::string checked_setting(const SettingInfo& info, std::string text);

class Settings {
 public:
  // Reads $confdir/puppet.conf, if it exists. As in the reference, a file with mistakes is ignored
  // as a whole, which is reported as a problem.
  explicit Settings(SettingsSources sources);

  const std::vector<SettingsProblem>& problems() const { return problems_; }
  // The sections of puppet.conf.
  const std::vector<SettingsFileSection>& sections() const { return sections_; }

  // The value as `config print` shows it: interpolated, files absolute, durations in seconds; empty
  // when it is not set. The name must be known. Throws EvaluationError for a value of a wrong form.
  std::string text(std::string_view name) const;
  // The names and values of all settings, as text() returns them, in the order of all_settings().
  std::vector<std::pair<std::string_view, std::string>> texts() const;
  bool is_true(std::string_view name) const { return text(name) == "true"; }
  int64_t integer(std::string_view name) const;
  // Returns whether a setting for a file or directory names a directory. A slash at the end marks
  // one that does not exist.
  bool names_directory(std::string_view name) const;
  // The parts of a path list or a comma-separated list.
  std::vector<std::string> list(std::string_view name) const;

  // The owner, group and mode in braces after a file's or directory's value in [main] and the
  // current section.
  FileOptions file_options(std::string_view name) const;

  // The section that takes precedence over [main], which the reference calls run mode.
  const std::string& run_mode() const { return sources_.section; }

  // Null when there is no repository.
  const std::shared_ptr<const Repository>& repository() const { return sources_.repository; }
  // The repository when it acts as the environment of this name; otherwise null.
  const Repository* repository_as(std::string_view environment) const;

  // The same settings with another section before [main].
  Settings in_section(std::string_view section) const;

  // Returns whether the setting has a value other than its default.
  bool is_set(std::string_view name) const;
  bool is_on_command_line(std::string_view name) const;

 private:
  void read_file();
  const SettingsFileSection* section(std::string_view name) const;
  // The value before interpolation; null when only the default is left.
  const std::string* given(std::string_view name) const;
  std::string raw(const SettingInfo& info) const;
  // Values that have been computed for other settings.
  using Computed = std::unordered_map<const SettingInfo*, std::string>;
  // With `computed`, each value is computed once, also for the settings that refer to it.
  std::string interpolated(const SettingInfo& info, int depth, Computed* computed) const;
  std::string value(const SettingInfo& info, int depth, Computed* computed) const;

  SettingsSources sources_;
  std::vector<SettingsFileSection> sections_;
  std::vector<SettingsProblem> problems_;
};

}  // namespace bunraku
