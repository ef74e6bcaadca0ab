#include "cli/frame/common_options.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "functions/core/command.h"
#include "site/settings/settings_file.h"
#include "site/settings/settings_table.h"

namespace bunraku {
namespace {

CommandOption value_option(std::string name, std::string value_name, std::string help,
                           std::function<void(std::string_view)> store) {
  return {std::move(name), '\0', std::move(value_name), std::move(help), {}, std::move(store)};
}

CommandOption file_option(std::string name, std::string help, std::string& target) {
  return value_option(std::move(name), "FILE", std::move(help),
                      [&target](std::string_view value) { target = value; });
}

// An option of its own for a setting.
CommandOption setting_option(std::string_view setting, std::string value_name, std::string help,
                             CommonOptions& target) {
  return value_option(
      "--" + std::string(setting), std::move(value_name), std::move(help),
      [setting, &target](std::string_view value) { store_setting(target, setting, value); });
}

std::vector<CommandOption> environment_options(CommonOptions& target) {
  std::vector<CommandOption> options = {
      setting_option("environment", "NAME", "the environment; production unless said otherwise",
                     target),
      setting_option("environmentpath", "DIRS", "where environments are, with colons between",
                     target),
      setting_option("modulepath", "DIRS", "where modules are, with colons between", target),
      setting_option("manifest", "PATH", "the main manifest: a file, or a directory of files",
                     target),
      setting_option("hiera_config", "FILE", "the global hiera.yaml", target),
      setting_option("confdir", "DIR", "where puppet.conf is", target),
      setting_option("codedir", "DIR", "where code is", target),
      setting_option("vardir", "DIR", "where state is kept", target),
      value_option(
          "--set", "KEY=VALUE",
          "any setting, such as strict=warning; may be repeated. `--strict warning` works too",
          [&target](std::string_view text) {
            const size_t sign = text.find('=');
            if (sign == std::string_view::npos || sign == 0) {
              throw UsageError(fmt::format("'{}' is not of the form KEY=VALUE", text));
            }
            store_setting(target, text.substr(0, sign), text.substr(sign + 1));
          }),
  };
  return options;
}

// Accepts the reference's words, too.
ColorChoice parse_color(std::string_view value) {
  if (value == "auto") return ColorChoice::kAuto;
  if (value == "always" || value == "ansi" || value == "true") return ColorChoice::kAlways;
  if (value == "never" || value == "false") return ColorChoice::kNever;
  throw UsageError(fmt::format("takes one of auto, always, never, not '{}'", value));
}

LogFormat parse_log_format(std::string_view value) {
  if (value == "text") return LogFormat::kText;
  if (value == "one-line") return LogFormat::kOneLine;
  if (value == "json") return LogFormat::kJson;
  throw UsageError(fmt::format("takes one of text, one-line, json, not '{}'", value));
}

CommandOption level_flag(std::string name, char letter, std::string help, LogLevel level,
                         LogLevel& target) {
  return {std::move(name),
          letter,
          "",
          std::move(help),
          {},
          [level, &target](std::string_view) {
            target = std::min(target, level); }};
}

CommandOption flag_option(std::string name, char letter, std::string help, bool& target) {
  return {std::move(name), letter, "",
          std::move(help), {},     [&target](std::string_view value) { target = value == "true"; }};
}

std::vector<CommandOption> node_options(CommonOptions& target) {
  return {
      value_option("--facts", "PATH",
                   "the node's facts, JSON or YAML: a file, or a directory with a file named after "
                   "each node. Otherwise facts/ of the repository and what a server has kept are "
                   "looked into, and on the node itself its facts are collected",
                   [&target](std::string_view value) {
                     target.facts = value;
                     target.has_no_facts = false;
                   }),
      flag_option("--no-facts", '\0', "the node has no facts", target.has_no_facts),
      file_option("--trusted", "the hash $trusted", target.trusted),
      file_option("--server-facts", "the hash $server_facts", target.server_facts),
      file_option("--enc", "a classifier's answer: classes, parameters, environment", target.enc),
      file_option("--vars", "variables to set in top scope, a JSON object", target.vars),
  };
}

RubyUse parse_ruby_use(std::string_view value) {
  if (value == "auto") return RubyUse::kAuto;
  if (value == "never") return RubyUse::kNever;
  throw UsageError(fmt::format("takes one of auto, never, not '{}'", value));
}

// Parses seconds, with or without a fraction.
std::chrono::milliseconds parse_timeout(std::string_view value) {
  double seconds = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
  constexpr double kLongest = 86'400;
  if (error != std::errc() || end != value.data() + value.size() || !(seconds > 0) ||
      seconds > kLongest) {
    throw UsageError(fmt::format("takes a number of seconds, not '{}'", value));
  }
  return std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
}

// Parses bytes, with or without a unit: 500M, 2G.
size_t parse_size(std::string_view value) {
  size_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  const std::string_view unit(end, static_cast<size_t>(value.data() + value.size() - end));
  constexpr std::string_view kUnits = "KMGT";
  const size_t at = unit.size() == 1 ? kUnits.find(unit.front()) : std::string_view::npos;
  const size_t shift = unit.empty() ? 0 : (at + 1) * 10;
  if (error != std::errc() || number == 0 || (!unit.empty() && at == std::string_view::npos) ||
      number > (SIZE_MAX >> shift)) {
    throw UsageError(fmt::format("takes a size such as 500M or 2G, not '{}'", value));
  }
  return number << shift;
}

std::vector<CommandOption> general_options(CommonOptions& target) {
  std::vector<CommandOption> options = {
      flag_option("--help", 'h', "show this help", target.help),
      flag_option("--version", 'V', "show the version of the program", target.version),
      value_option("--format", "FORMAT", "",
                   [&target](std::string_view value) { target.format = value; }),
      value_option("--log-level", "LEVEL",
                   "what is logged: debug, info, notice (the default), warning, err, crit",
                   [&target](std::string_view value) {
                     std::optional<LogLevel> level = parse_log_level(value);
                     if (!level) throw UsageError(fmt::format("'{}' is not a log level", value));
                     target.log.level = *level;
                   }),
      level_flag("--debug", 'd', "the same as --log-level debug", LogLevel::kDebug,
                 target.log.level),
      level_flag("--verbose", 'v', "the same as --log-level info", LogLevel::kInfo,
                 target.log.level),
      value_option(
          "--log-format", "FORMAT",
          "how log records are written to standard error: text (the default; mistakes with their "
          "source lines), one-line (the reference's lines) or json",
          [&target](std::string_view value) { target.log.format = parse_log_format(value); }),
      value_option("--color", "WHEN", "colours: auto (the default: on a terminal), always, never",
                   [&target](std::string_view value) { target.color = parse_color(value); }),
      value_option("--ruby", "WHEN",
                   "code of modules in Ruby: auto (the default: run where needed), never",
                   [&target](std::string_view value) { target.ruby.use = parse_ruby_use(value); }),
      value_option(
          "--ruby-timeout", "SECONDS", "how long such code may run; 60 unless said otherwise",
          [&target](std::string_view value) { target.ruby.timeout = parse_timeout(value); }),
      value_option(
          "--timeout", "SECONDS",
          "how long one compilation may take; as long as it likes otherwise",
          [&target](std::string_view value) { target.limits.timeout = parse_timeout(value); }),
      value_option("--memory", "SIZE",
                   "how much memory compilations may take together, such as 2G; each has its share",
                   [&target](std::string_view value) { target.limits.memory = parse_size(value); }),
      value_option(
          "--program-timeout", "SECONDS",
          "how long a classifier, config_version, a trusted external command or generate() "
          "may run; 60 unless said otherwise",
          [](std::string_view value) { set_program_timeout(parse_timeout(value)); }),
  };
  return options;
}

}  // namespace

std::vector<OptionGroupHelp> common_options(CommonOptions& target) {
  std::vector<OptionGroupHelp> groups;
  groups.push_back({OptionGroup::kEnvironment, "Environment", environment_options(target)});
  groups.push_back({OptionGroup::kNode, "Node", node_options(target)});
  groups.push_back(
      {OptionGroup::kStore,
       "Store",
       {value_option("--store", "URL",
                     "the store of facts, catalogs and reports: sqlite:PATH or postgresql://...",
                     [&target](std::string_view value) { target.store = value; })}});
  groups.push_back({OptionGroup::kGeneral, "General", general_options(target)});
  return groups;
}

void store_setting(CommonOptions& target, std::string_view name, std::string_view value) {
  const SettingInfo* setting = find_setting(name);
  if (setting == nullptr) {
    target.unknown_settings.emplace_back(name);
    return;
  }
  target.settings.emplace_back(setting->name, without_quotes(value));
}

}  // namespace bunraku
