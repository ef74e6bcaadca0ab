// Converts a command's settings to those of one side.
#include "compilation/environment_side.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/system/file_system.h"
#include "compilation/module_cache.h"
#include "functions/core/command.h"
#include "site/environment/environment_settings.h"
#include "site/environment/files.h"
#include "site/settings/puppetfile.h"

namespace bunraku::compilation {
namespace {

// Fetching all modules of an environment may take long.
constexpr auto kBootstrapTime = std::chrono::minutes(30);

bool is_at_or_below(std::string_view path, std::string_view directory) {
  return path.starts_with(directory) &&
         (path.size() == directory.size() || path[directory.size()] == '/');
}

std::string joined_paths(const std::vector<std::string>& paths) {
  return fmt::format("{}", fmt::join(paths, ":"));
}

}  // namespace

EnvironmentSide::EnvironmentSide(const SideRequest& request)
    : version_(request.name, request.environment, request.repository),
      roots_(request.roots),
      modules_(request.modules) {
  if (!is_directory(request.name)) {
    run_bootstrap(request);
    unpack_cached_modules();
  }
  repository_ = open_repository(version_.directory());
}

void EnvironmentSide::run_bootstrap(const SideRequest& request) const {
  if (request.bootstrap.empty()) return;
  const CommandResult result =
      run_command({"/bin/sh", "-c", request.bootstrap}, version_.directory(),
                  {kBootstrapTime, ErrorStream::kIntoOutput, {}});
  if (result.ended_because.empty() && result.started && result.status == 0) return;
  const std::string end = result.ended_because.empty() ? fmt::format("ended with {}", result.status)
                                                       : result.ended_because;
  std::string output = result.output;
  while (output.ends_with('\n')) output.pop_back();
  throw FileError(FileErrorKind::kOther, output.empty() ? request.bootstrap : output,
                  fmt::format("The command of --bootstrap for {} {}", request.name, end));
}

// Adds modules of the Puppetfile that the revision lacks, from the caches of deployments.
void EnvironmentSide::unpack_cached_modules() const {
  const std::vector<std::string> caches = module_caches();
  const auto text = read_file_if_exists(join_path(version_.directory(), "Puppetfile"));
  if (!text || caches.empty()) return;
  std::string directory = puppetfile_moduledir(version_.directory());
  directory = join_path(version_.directory(), directory.empty() ? "modules" : directory);
  for (const DeclaredModule& module : declared_modules(*text)) {
    const bool is_given = std::ranges::any_of(modules_, [&](const std::string& path) {
      return is_directory(join_path(path, module.name));
    });
    const std::string target = join_path(directory, module.name);
    if (!is_given && !exists(target)) unpack_cached_module(module, caches, target);
  }
}

std::string EnvironmentSide::rebased(const std::string& path) const {
  const std::string absolute = absolute_path(path);
  for (const std::string& root : roots_) {
    if (is_at_or_below(absolute, root)) return version_.directory() + absolute.substr(root.size());
  }
  const bool is_relative =
      !path.starts_with('/') && !path.starts_with('~') && !path.starts_with('$');
  // A relative path is within the side, which need not contain the current directory.
  if (is_relative && !exists(path)) return join_path(version_.directory(), path);
  return path;
}

std::string EnvironmentSide::rebased_list(std::string_view paths) const {
  std::string list;
  for (const std::string& path : split_path_list(paths)) {
    list += (list.empty() ? "" : ":") + rebased(path);
  }
  return list;
}

SettingsSources EnvironmentSide::settings(SettingsSources given) const {
  std::vector<std::pair<std::string, std::string>>& all = given.command_line;
  const auto is_given = [&](std::string_view name) {
    return std::ranges::any_of(all, [&](const auto& setting) { return setting.first == name; });
  };
  std::erase_if(all, [](const auto& setting) {
    return setting.first == "environment" || setting.first == "environmentpath";
  });
  for (auto& [name, value] : all) {
    const bool is_file = name == "manifest" || name == "hiera_config" || name == "default_manifest";
    if (is_file) value = rebased(value);
    if (find_setting(name)->kind == SettingKind::kPathList) value = rebased_list(value);
  }
  // The settings in its bunraku.toml, over which the command line takes precedence.
  for (const auto& [name, value] : repository_.conf.settings) {
    if (name != "environment" && !is_given(name)) all.emplace_back(name, value);
  }
  all.emplace_back("environmentpath", version_.environmentpath());
  all.emplace_back("environment", std::string(file_name_of(version_.directory())));
  if (!is_given("modulepath") && !repository_.has_environment_conf) {
    all.emplace_back("modulepath", joined_paths(repository_.modulepath));
  }
  if (!modules_.empty()) add_modules(given);
  return given;
}

// Appends the modules of both sides to the environment's own module path.
void EnvironmentSide::add_modules(SettingsSources& given) const {
  std::vector<std::string> paths = open_layout(Settings(given))->modulepath();
  for (const std::string& path : modules_) paths.push_back(absolute_path(path));
  given.command_line.emplace_back("modulepath", joined_paths(paths));
}

std::vector<std::string> EnvironmentSide::missing_modules(
    const std::vector<std::string>& found) const {
  std::vector<std::string> missing = puppetfile_modules(version_.directory());
  std::erase_if(missing, [&](const std::string& name) {
    return std::ranges::find(found, name) != found.end();
  });
  return missing;
}

}  // namespace bunraku::compilation
