#include "environment/environment_conf.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/diagnostic.h"

namespace bunraku {
namespace {

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string_view trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\f\v");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\f\v") + 1 - begin);
}

const std::string* value_of(const SettingLookup& settings, std::string_view name) {
  for (const auto& [key, value] : settings) {
    if (key == name) return &value;
  }
  return nullptr;
}

std::string interpolate(std::string_view text, const SettingLookup& settings) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    if (text[at] != '$') {
      out.push_back(text[at++]);
      continue;
    }
    const bool braced = at + 1 < text.size() && text[at + 1] == '{';
    const size_t begin = at + (braced ? 2 : 1);
    size_t end = begin;
    while (end < text.size() && is_word_character(text[end])) ++end;
    const size_t after = braced ? end + 1 : end;
    const bool closed = !braced || (end < text.size() && text[end] == '}');
    const std::string* value =
        end > begin && closed ? value_of(settings, text.substr(begin, end - begin)) : nullptr;
    if (value == nullptr) {
      out.push_back(text[at++]);
      continue;
    }
    out.append(*value);
    at = after;
  }
  return out;
}

std::optional<std::string>* member(EnvironmentConf& conf, std::string_view name) {
  if (name == "manifest") return &conf.manifest;
  if (name == "modulepath") return &conf.modulepath;
  if (name == "config_version") return &conf.config_version;
  if (name == "environment_timeout") return &conf.environment_timeout;
  if (name == "static_catalogs") return &conf.static_catalogs;
  if (name == "rich_data") return &conf.rich_data;
  if (name == "environment_data_provider") return &conf.environment_data_provider;
  return nullptr;
}

struct SettingLine {
  std::string_view name;
  std::string_view value;
};

std::string_view without_quotes(std::string_view text) {
  const bool is_quoted = text.size() >= 2 && text.front() == text.back() &&
                         (text.front() == '"' || text.front() == '\'');
  return is_quoted ? text.substr(1, text.size() - 2) : text;
}

std::optional<SettingLine> parse_setting(std::string_view line) {
  const size_t equals = line.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  const std::string_view name = trim(line.substr(0, equals));
  if (name.empty() || !std::all_of(name.begin(), name.end(), is_word_character)) {
    return std::nullopt;
  }
  return SettingLine{name, without_quotes(trim(line.substr(equals + 1)))};
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

}  // namespace

EnvironmentConf parse_environment_conf(std::string_view text, const std::string& path,
                                       const SettingLookup& settings) {
  EnvironmentConf conf;
  std::vector<std::string> sections, unknown;
  bool in_main = true;
  int number = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    if (line.starts_with('[') && line.ends_with(']')) {
      const std::string_view name = line.substr(1, line.size() - 2);
      in_main = name == "main";
      if (!in_main) sections.emplace_back(name);
      continue;
    }
    const std::optional<SettingLine> setting = parse_setting(line);
    if (!setting) {
      throw EvaluationError(make_diagnostic(Issue::kUnreadableSettings, Range{},
                                            {std::string(line), path, std::to_string(number)}),
                            ErrorKind::kError);
    }
    if (!in_main) continue;
    std::optional<std::string>* target = member(conf, setting->name);
    if (target == nullptr) {
      unknown.emplace_back(setting->name);
    } else if (!target->has_value()) {
      *target = interpolate(setting->value, settings);
    }
  }
  if (!sections.empty()) {
    conf.warnings.push_back(fmt::format(
        "Invalid sections in environment.conf at '{}'. Environment conf may not have sections. The "
        "following sections are being ignored: '{}'\n   (file & line not available)",
        path, join(sections, ",")));
  }
  if (!unknown.empty()) {
    conf.warnings.push_back(
        fmt::format("Invalid settings in environment.conf at '{}'. The following unknown "
                    "setting(s) are being ignored: {}\n   (file & line not available)",
                    path, join(unknown, ", ")));
  }
  return conf;
}

}  // namespace bunraku
