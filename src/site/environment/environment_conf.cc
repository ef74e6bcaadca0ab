#include "site/environment/environment_conf.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics/diagnostic.h"
#include "base/diagnostics/file_range.h"
#include "base/regex/regex.h"
#include "base/system/file_system.h"
#include "base/system/glob.h"
#include "base/text/utf8.h"
#include "site/environment/files.h"
#include "site/settings/settings.h"
#include "site/settings/settings_file.h"

namespace bunraku {
namespace {

constexpr std::string_view kKnown[] = {"modulepath",
                                       "manifest",
                                       "config_version",
                                       "environment_timeout",
                                       "environment_data_provider",
                                       "static_catalogs",
                                       "rich_data"};

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

const std::string* value_of(const SettingLookup& settings, std::string_view name) {
  for (const auto& [key, value] : settings) {
    if (key == name) return &value;
  }
  return nullptr;
}

class Reader {
 public:
  Reader(const std::string& path, std::string_view environment, const SettingLookup& settings)
      : path_(path),
        directory_(parent_directory(path)),
        environment_(environment),
        settings_(settings) {}

  EnvironmentConf read(std::string_view text) {
    const std::vector<SettingsFileSection> sections = parse_settings_file(text, path_);
    const SettingsFileSection& main = sections.front();
    warn_of_unknown(sections);
    read_manifest(main);
    read_modulepath(main);
    if (const std::string* value = main.find("config_version")) {
      conf_.config_version = interpolated(absolute(*value), "config_version");
      conf_.config_version_line =
          range_at(std::make_shared<const SourceFile>(path_, std::string(text)),
                   static_cast<uint32_t>(main.line_of("config_version")));
    }
    if (const std::string* value = main.find("environment_timeout")) {
      if (value->empty()) {
        fail("Invalid 'time to live' format '\"\"' for parameter: environment_timeout");
      }
      conf_.environment_timeout = checked(*value, "environment_timeout");
    }
    conf_.static_catalogs = read_boolean(main, "static_catalogs");
    conf_.rich_data = read_boolean(main, "rich_data");
    if (const std::string* value = main.find("environment_data_provider")) {
      conf_.environment_data_provider = *value;
    }
    return std::move(conf_);
  }

 private:
  void warn_of_unknown(const std::vector<SettingsFileSection>& sections) {
    std::vector<std::string> ignored, unknown;
    for (size_t i = 1; i < sections.size(); ++i) ignored.push_back(sections[i].name);
    for (const auto& [name, value] : sections.front().values) {
      if (std::ranges::find(kKnown, name) == std::end(kKnown)) {
        unknown.push_back(name);
      }
    }
    if (!ignored.empty()) {
      conf_.warnings.push_back(fmt::format(
          "Invalid sections in environment.conf at '{}'. Environment conf may not have sections. "
          "The following sections are being ignored: '{}'\n   (file & line not available)",
          path_, join(ignored, ",")));
    }
    if (!unknown.empty()) {
      conf_.warnings.push_back(
          fmt::format("Invalid settings in environment.conf at '{}'. The following unknown "
                      "setting(s) are being ignored: {}\n   (file & line not available)",
                      path_, join(unknown, ", ")));
    }
  }

  void read_manifest(const SettingsFileSection& main) {
    const std::string* value = main.find("manifest");
    if (value == nullptr) return;
    conf_.written_manifest = *value;
    conf_.raw_manifest = absolute(*value);
    conf_.manifest = absolute_path(interpolated(*conf_.raw_manifest, "manifest"));
  }

  // Patterns are expanded before variables, so a pattern after a variable matches nothing.
  void read_modulepath(const SettingsFileSection& main) {
    const std::string* value = main.find("modulepath");
    if (value == nullptr) return;
    std::vector<std::string> directories;
    for (const std::string& part : split_parts(*value)) {
      for (std::string& directory : expand_glob(absolute(part)))
        directories.push_back(std::move(directory));
    }
    conf_.modulepath.emplace();
    for (const std::string& directory :
         split_path_list(interpolated(join(directories, ":"), "modulepath"))) {
      conf_.modulepath->push_back(absolute_path(directory));
    }
  }

  // An empty part between two colons is the environment's directory; empty parts at the end are
  // dropped.
  static std::vector<std::string> split_parts(std::string_view list) {
    while (list.ends_with(':')) list.remove_suffix(1);
    std::vector<std::string> parts;
    while (!list.empty()) {
      const size_t end = std::min(list.find(':'), list.size());
      parts.emplace_back(list.substr(0, end));
      list.remove_prefix(std::min(end + 1, list.size()));
    }
    return parts;
  }

  std::optional<bool> read_boolean(const SettingsFileSection& main, std::string_view name) {
    const std::string* value = main.find(name);
    if (value == nullptr) return std::nullopt;
    const std::string text = interpolated(*value, name);
    const std::string folded = downcase(text);
    if (folded == "true" || folded == "false") return folded == "true";
    if (conf_.wrong_boolean.empty()) {
      conf_.wrong_boolean =
          fmt::format("Invalid value '\"{}\"' for boolean parameter: {}", text, name);
    }
    return std::nullopt;
  }

  static std::string checked(const std::string& value, std::string_view name) {
    return checked_setting(*find_setting(name), value);
  }

  std::string absolute(const std::string& path) const {
    return path.starts_with('$') ? path : expand_path(path, directory_);
  }

  std::string interpolated(const std::string& text, std::string_view setting) {
    if (text.find('$') == text.npos) return text;
    static const Regex* const kVariable = Regex::compile(R"(\$(\w+)|\$\{(\w+)\})");
    std::string result;
    size_t copied = 0;
    bool keeps_environment = false;
    Captures captures;
    while (kVariable->search(text, copied, captures)) {
      result.append(text, copied, captures.begin() - copied);
      copied = captures.end();
      const std::string_view name = captures.text(text, captures.matched(1) ? 1 : 2);
      if (name == "environment") {
        const bool is_known = setting == "config_version";
        result += is_known ? environment_ : captures.text(text);
        keeps_environment = keeps_environment || !is_known;
      } else if (const std::string* value = value_of(settings_, name)) {
        result += *value;
      } else {
        fail(fmt::format("Error converting value for param '{}': Could not find value for {}",
                         setting, captures.text(text)));
      }
    }
    result.append(text, copied);
    if (keeps_environment) {
      conf_.warnings.push_back(
          fmt::format("You cannot interpolate $environment within '{}' when using directory "
                      "environments. Its value will remain {}.",
                      setting, result));
    }
    return result;
  }

  [[noreturn]] static void fail(std::string message) {
    throw EvaluationError(make_diagnostic(Issue::kInvalidSetting, {}, {std::move(message)}),
                          ErrorKind::kError);
  }

  const std::string& path_;
  std::string_view directory_;
  std::string_view environment_;
  const SettingLookup& settings_;
  EnvironmentConf conf_;
};

}  // namespace

EnvironmentConf parse_environment_conf(std::string_view text, const std::string& path,
                                       std::string_view name, const SettingLookup& settings) {
  return Reader(path, name, settings).read(text);
}

}  // namespace bunraku
