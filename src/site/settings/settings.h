// The settings: from the command line, from puppet.conf, and the reference's defaults, in this
// order.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics/diagnostic.h"
#include "base/diagnostics/log.h"
#include "site/settings/settings_file.h"
#include "site/settings/settings_table.h"

namespace bunraku {

struct Repository;

struct SettingsSources {
  // Name and value, as on the command line; of a name given twice the last counts. Names must be
  // known.
  std::vector<std::pair<std::string, std::string>> command_line;
  // The section of puppet.conf that goes before [main]: "server", "agent", "user" or "main" itself.
  std::string section = "main";
  // The repository that stands for an environment, with the settings of its bunraku.toml; null:
  // none.
  std::shared_ptr<const Repository> repository = nullptr;
};

// Something to be logged about a configuration file.
struct SettingsProblem {
  Severity severity;
  std::string message;
};

inline constexpr std::string_view kDefaultManifestMustBeAbsolute =
    "The 'default_manifest' setting must be set to an absolute path when "
    "'disable_per_environment_manifest' is true";

void log_problems(const std::vector<SettingsProblem>& problems, LogSink& log);

// Where the authority is that was not made below the ssldir: beside the confdir of the vendor's
// packages, and in any other one.
std::string default_cadir(const std::string& confdir);

// What a value says of the setting: files made absolute, durations in seconds. Throws
// EvaluationError for a value of the wrong form.
std::string checked_setting(const SettingInfo& info, std::string text);

class Settings {
 public:
  // Reads $confdir/puppet.conf, when there is one. A file with mistakes is left out as a whole, as
  // the reference does, with a problem that says so.
  explicit Settings(SettingsSources sources);

  const std::vector<SettingsProblem>& problems() const { return problems_; }
  // Of puppet.conf.
  const std::vector<SettingsFileSection>& sections() const { return sections_; }

  // The value as `config print` shows it: interpolated, files made absolute, durations in seconds;
  // empty when there is none. The name must be known. Throws EvaluationError for a value of the
  // wrong form.
  std::string text(std::string_view name) const;
  bool is_true(std::string_view name) const { return text(name) == "true"; }
  int64_t integer(std::string_view name) const;
  // Of a setting that names a file or directory: does it name a directory? A slash at the end says
  // so, too.
  bool names_directory(std::string_view name) const;
  // The parts of a path list or of a list with commas.
  std::vector<std::string> list(std::string_view name) const;

  // What [main] and the section of the run say in braces behind a file's or directory's value.
  FileOptions file_options(std::string_view name) const;

  // Null when there is none.
  const std::shared_ptr<const Repository>& repository() const { return sources_.repository; }
  // The repository when it stands for the environment of this name; else null.
  const Repository* repository_as(std::string_view environment) const;

  // The same with another section before [main].
  Settings in_section(std::string_view section) const;

  // Was it given, and not left to its default?
  bool is_set(std::string_view name) const;
  bool is_on_command_line(std::string_view name) const;

 private:
  void read_file();
  const SettingsFileSection* section(std::string_view name) const;
  // Before interpolation; null when only the default is left.
  const std::string* given(std::string_view name) const;
  std::string raw(const SettingInfo& info) const;
  std::string interpolated(const SettingInfo& info, int depth) const;
  std::string value(const SettingInfo& info, int depth) const;

  SettingsSources sources_;
  std::vector<SettingsFileSection> sections_;
  std::vector<SettingsProblem> problems_;
};

}  // namespace bunraku
