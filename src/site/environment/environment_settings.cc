#include "site/environment/environment_settings.h"

#include <algorithm>
#include <cstdlib>

#include "base/system/file_system.h"
#include "site/settings/repository.h"

namespace bunraku {
namespace {

Strictness strictness_of(std::string_view strict) {
  if (strict == "off") return Strictness::kOff;
  return strict == "warning" ? Strictness::kWarning : Strictness::kError;
}

// Returns whether the setting comes from the command line or from the repository's bunraku.toml,
// which take precedence over the environment.
bool goes_before_environment(const Settings& settings, std::string_view name) {
  const Repository* repository = settings.repository().get();
  return settings.is_on_command_line(name) ||
         (repository != nullptr && repository->conf.find(name) != nullptr);
}

}  // namespace

bool disables_warnings(const Settings& settings, std::string_view kind) {
  const std::vector<std::string> disabled = settings.list("disable_warnings");
  return std::ranges::find(disabled, kind) != disabled.end();
}

ProblemLimits problem_limits(const Settings& settings) {
  const auto limit = [&settings](std::string_view name) {
    return static_cast<size_t>(std::max(0LL, std::atoll(settings.text(name).c_str())));
  };
  return {limit("max_errors"), limit("max_warnings"),
          disables_warnings(settings, "deprecations") ? 0 : limit("max_deprecations")};
}

EnvironmentOptions environment_options(const Settings& settings) {
  EnvironmentOptions options;
  options.repository = settings.repository();
  options.environmentpath = settings.list("environmentpath");
  options.basemodulepath = settings.list("basemodulepath");
  options.vendored_modules = {settings.text("vendormoduledir")};
  options.default_manifest = settings.text("default_manifest");
  options.disable_per_environment_manifest = settings.is_true("disable_per_environment_manifest");
  options.follows_links = settings.is_true("versioned_environment_dirs");
  options.reports_links = settings.is_true("report_configured_environmentpath");
  if (goes_before_environment(settings, "manifest")) options.manifest = settings.text("manifest");
  if (goes_before_environment(settings, "modulepath")) {
    options.modulepath = settings.list("modulepath");
  }
  if (goes_before_environment(settings, "config_version")) {
    options.config_version = settings.text("config_version");
  }
  if (std::string code = settings.text("code"); !code.empty()) options.code = std::move(code);
  options.settings = settings.texts();
  options.limits = problem_limits(settings);
  options.parse.tasks = settings.is_true("tasks");
  options.parse.strict = strictness_of(settings.text("strict"));
  return options;
}

bool has_environment(const Settings& settings) {
  std::string name = settings.text("environment");
  if (settings.repository_as(name) != nullptr) return true;
  std::vector<std::string> directories = settings.list("environmentpath");
  return std::ranges::any_of(directories, [&name](const std::string& directory) {
    return is_directory(join_path(directory, name));
  });
}

namespace {

std::shared_ptr<Environment> open_with(const Settings& settings, bool needs_directory,
                                       EnvironmentOptions options) {
  const std::string name = settings.text("environment");
  if (needs_directory || settings.is_on_command_line("environment") || has_environment(settings)) {
    return Environment::find(name, std::move(options));
  }
  return Environment::without_directory(name, std::move(options));
}

}  // namespace

std::shared_ptr<Environment> open_environment(const Settings& settings, bool needs_directory) {
  return open_with(settings, needs_directory, environment_options(settings));
}

std::shared_ptr<Environment> open_layout(const Settings& settings) {
  EnvironmentOptions options = environment_options(settings);
  options.reads_metadata = false;
  return open_with(settings, false, std::move(options));
}

}  // namespace bunraku
