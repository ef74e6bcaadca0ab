#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "base/formats/json.h"
#include "base/system/file_system.h"
#include "cli/commands/commands.h"
#include "cli/frame/session.h"
#include "site/environment/environment_settings.h"

namespace bunraku {
namespace {

struct ConfigPrintOptions {
  std::vector<std::string> names;
  std::string section = "main";
  bool shows_origin = false;
};

// The requested names in order; all names when none are given.
std::vector<std::string_view> wanted_names(const std::vector<std::string>& names) {
  std::vector<std::string_view> wanted;
  const bool is_all = names.empty() || (names.size() == 1 && names[0] == "all");
  if (is_all) {
    for (const SettingInfo& info : all_settings()) wanted.push_back(info.name);
    return wanted;
  }
  for (const std::string& name : names) {
    const SettingInfo* info = find_setting(name);
    if (info == nullptr) throw UsageError(unknown_setting_message(name));
    wanted.push_back(info->name);
  }
  std::ranges::sort(wanted);
  return wanted;
}

// The value that environment.conf or the environment's directory sets, which is shown instead of
// the setting.
std::optional<std::string> value_in_environment(const Environment& environment,
                                                std::string_view name) {
  if (name == "manifest") return environment.manifest();
  if (name == "config_version") return environment.config_version();
  const EnvironmentConf& conf = environment.conf();
  const auto shown = [](std::optional<bool> value) -> std::optional<std::string> {
    if (!value) return std::nullopt;
    return *value ? "true" : "false";
  };
  if (name == "environment_timeout") return conf.environment_timeout;
  if (name == "static_catalogs") return shown(conf.static_catalogs);
  if (name == "rich_data") return shown(conf.rich_data);
  if (name != "modulepath") return std::nullopt;
  std::string path;
  for (const std::string& directory : environment.modulepath())
    path += (path.empty() ? "" : ":") + directory;
  return path;
}

// The value as shown; lists have Ruby's format.
std::string shown_value(const Settings& settings, const Environment* environment,
                        std::string_view name) {
  if (environment != nullptr) {
    if (std::optional<std::string> value = value_in_environment(*environment, name)) return *value;
  }
  if (find_setting(name)->kind != SettingKind::kList) return settings.text(name);
  std::string shown;
  for (const std::string& part : settings.list(name)) {
    shown += fmt::format("{}\"{}\"", shown.empty() ? "" : ", ", part);
  }
  return fmt::format("[{}]", shown);
}

// The origin of a setting that neither the command line nor the repository sets.
std::string origin_of_setting(const Settings& settings, std::string_view wanted,
                              std::string_view name) {
  for (const std::string_view place : {wanted, std::string_view("main")}) {
    for (const SettingsFileSection& section : settings.sections()) {
      if (section.name != place || section.find(name) == nullptr) continue;
      return fmt::format("{} [{}]", settings.text("config"), section.name);
    }
  }
  return "the default";
}

// The origin of a shown value.
std::string origin(const Settings& settings, const ConfigPrintOptions& options,
                   const Environment* environment, std::string_view name) {
  const Repository* repository = settings.repository().get();
  if (settings.is_on_command_line(name)) return "the command line";
  if (repository != nullptr && repository->conf.find(name) != nullptr) return repository->conf.path;
  if (repository != nullptr && name == "environment") {
    return fmt::format("the repository {}", repository->directory);
  }
  if (environment == nullptr) return origin_of_setting(settings, options.section, name);
  const EnvironmentConf& conf = environment->conf();
  const bool is_in_conf = (name == "manifest" && conf.manifest) ||
                          (name == "modulepath" && conf.modulepath) ||
                          (name == "config_version" && conf.config_version) ||
                          (name == "environment_timeout" && conf.environment_timeout) ||
                          (name == "static_catalogs" && conf.static_catalogs) ||
                          (name == "rich_data" && conf.rich_data);
  if (is_in_conf) return join_path(environment->directory(), "environment.conf");
  const bool is_of_directory = name == "manifest" || name == "modulepath";
  if (!is_of_directory) return origin_of_setting(settings, options.section, name);
  return fmt::format("the directory of the environment {}", environment->name());
}

int print_settings(const ConfigPrintOptions& options, Session& session) {
  const std::vector<std::string_view> names = wanted_names(options.names);
  const Settings settings = session.load_settings(options.section);
  std::shared_ptr<Environment> environment;
  if (has_environment(settings)) environment = open_environment(settings, true);
  if (session.format_or("text") == "json") {
    std::string text;
    JsonWriter json(text, JsonForm::kPretty);
    json.begin_object();
    for (const std::string_view name : names) {
      const std::string value = shown_value(settings, environment.get(), name);
      if (!options.shows_origin) {
        json.member(name, std::string_view(value));
        continue;
      }
      json.key(name);
      json.begin_object();
      json.member("value", std::string_view(value));
      json.member("origin", std::string_view(origin(settings, options, environment.get(), name)));
      json.end_object();
    }
    json.end_object();
    session.print(text + "\n");
    return kExitSuccess;
  }
  for (std::string_view name : names) {
    std::string value = shown_value(settings, environment.get(), name);
    if (options.shows_origin) {
      session.print(fmt::format("{} = {}  # {}\n", name, value,
                                origin(settings, options, environment.get(), name)));
    } else {
      session.print(names.size() == 1 ? value + "\n" : fmt::format("{} = {}\n", name, value));
    }
  }
  return kExitSuccess;
}

}  // namespace

Command make_config_print_command() {
  auto options = std::make_shared<ConfigPrintOptions>();
  Command command("config print", "The values of settings");
  command.argument("[NAME...]", "settings to show; all when none is named", options->names);
  command.choice("--section SECTION", {"main", "server", "agent", "user"},
                 "the section of puppet.conf that goes before [main]", options->section);
  command.flag("--show-origin", "say after each value where it comes from", options->shows_origin);
  command.formats({"text", "json"});
  command.takes(OptionGroup::kEnvironment);
  command.example("bunraku config print environmentpath", "prints the value of one setting");
  command.example("bunraku config print modulepath strict --show-origin",
                  "shows whether the command line, bunraku.toml, puppet.conf or environment.conf "
                  "says so");
  command.example("bunraku config print all --section server",
                  "prints every setting as a server has it");
  command.run([options](Session& session) { return print_settings(*options, session); });
  return command;
}

}  // namespace bunraku
