#include "site/settings/settings_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/diagnostics/diagnostic.h"
#include "base/regex/regex.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"

namespace bunraku {
namespace {

struct Line {
  std::string_view text;
  size_t number;
};

struct SectionLines {
  std::string_view name;
  size_t number;  // the line number of the heading
  std::vector<Line> lines;
};

struct SettingLine {
  std::string_view name;
  std::string_view value;
};

[[noreturn]] void fail_at(std::string_view what, const std::string& path, size_t line) {
  throw EvaluationError(make_diagnostic(Issue::kInvalidSetting, {},
                                        {fmt::format("{} (file: {}, line: {})", what, path, line)}),
                        ErrorKind::kError);
}

void check_owner(std::string_view option, std::string_view owner, std::string_view setting,
                 const std::string& path, size_t line) {
  if (owner.empty() || owner == "root" || owner == "service") return;
  fail_at(fmt::format("The :{} parameter for the setting '{}' must be either 'root' or 'service', "
                      "not '{}'",
                      option, setting, owner),
          path, line);
}

SectionLines& section_of(std::vector<SectionLines>& sections, std::string_view name,
                         size_t number) {
  for (SectionLines& section : sections) {
    if (section.name == name) return section;
  }
  return sections.emplace_back(SectionLines{name, number, {}});
}

std::vector<SectionLines> split_sections(std::string_view text, const std::string& path) {
  static const Regex* const kHeading = Regex::compile(R"(^\s*\[([[:word:]]+)\]\s*$)");
  std::vector<SectionLines> sections = {{"main", 0, {}}};
  size_t current = 0;
  Captures captures;
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (!is_valid_utf8(line)) fail_at("invalid byte sequence in UTF-8", path, number);
    if (kHeading->search(line, 0, captures)) {
      const SectionLines& section = section_of(sections, captures.text(line, 1), number);
      current = static_cast<size_t>(&section - sections.data());
    } else {
      sections[current].lines.push_back({line, number});
    }
  }
  return sections;
}

void check_allowed(const SectionLines& section, const std::string& path,
                   std::span<const std::string_view> allowed) {
  if (allowed.empty() || std::ranges::find(allowed, section.name) != allowed.end()) {
    return;
  }
  throw EvaluationError(
      make_diagnostic(
          Issue::kInvalidSetting, {},
          {fmt::format("Illegal section '{}' in config file at (file: {}, line: {}). The only "
                       "valid puppet.conf sections are: [{}]. Please use the directory "
                       "environments feature to specify environments. (See "
                       "https://puppet.com/docs/puppet/latest/environments_about.html)",
                       section.name, path, section.number, fmt::join(allowed, ", "))}),
      ErrorKind::kError);
}

FileOptions read_file_options(std::string_view options, std::string_view value,
                              const std::string& path, size_t line) {
  FileOptions read;
  read.line = line;
  static const Regex* const kOption = Regex::compile(R"(\A\s*(\w+)\s*=\s*(\w+)\s*\z)");
  Captures captures;
  while (!options.empty()) {
    const size_t comma = std::min(options.find(','), options.size());
    const std::string_view option = options.substr(0, comma);
    options.remove_prefix(std::min(comma + 1, options.size()));
    if (!kOption->search(option, 0, captures)) {
      fail_at(fmt::format("Could not parse '{}'", value), path, line);
    }
    const std::string_view name = captures.text(option, 1);
    const std::string_view setting = captures.text(option, 2);
    if (name != "owner" && name != "group" && name != "mode") {
      fail_at(fmt::format("Invalid file option '{}'", name), path, line);
    }
    if (name != "mode") {
      (name == "owner" ? read.owner : read.group) = setting;
      continue;
    }
    if (setting.find_first_not_of("0123456789") != setting.npos) {
      fail_at("File modes must be numbers", path, line);
    }
    // Parsing stops at the first digit that is not octal.
    mode_t mode = 0;
    std::from_chars(setting.data(), setting.data() + setting.size(), mode, 8);
    read.mode = mode;
  }
  return read;
}

// Adds a setting; "/x {owner = root, mode = 0644}" is split into value and options. Anything else
// in braces is a mistake, "${name}" included.
void add_setting(const SettingLine& setting, const std::string& path, size_t line,
                 SettingsFileSection& to) {
  to.lines.push_back(line);
  const std::string_view value = setting.value;
  const size_t brace = value.find('{');
  const size_t end = brace == value.npos ? value.npos : value.find('}', brace);
  if (end == value.npos || end == brace + 1) {
    to.values.emplace_back(setting.name, value);
    return;
  }
  to.file_options.emplace_back(
      setting.name, read_file_options(value.substr(brace + 1, end - brace - 1), value, path, line));
  std::string rest(value.substr(0, brace));
  rest += value.substr(end + 1);
  while (!rest.empty() && is_white(rest.back())) rest.pop_back();
  to.values.emplace_back(setting.name, std::move(rest));
}

SettingsFileSection parse_section(const SectionLines& lines, const std::string& path) {
  static const Regex* const kSetting = Regex::compile(R"(^\s*([[:word:]]+)\s*=\s*(.*?)\s*$)");
  SettingsFileSection section{std::string(lines.name), {}, {}, {}};
  Captures captures;
  for (const Line& line : lines.lines) {
    if (kSetting->search(line.text, 0, captures)) {
      const SettingLine setting{captures.text(line.text, 1),
                                without_quotes(captures.text(line.text, 2))};
      add_setting(setting, path, line.number, section);
    } else if (const std::string_view content = trimmed(line.text);
               !content.empty() && content.front() != '#') {
      throw EvaluationError(
          make_diagnostic(Issue::kUnreadableSettings, {},
                          {std::string(line.text), path, std::to_string(line.number)}),
          ErrorKind::kError);
    }
  }
  return section;
}

}  // namespace

std::string_view without_quotes(std::string_view value) {
  const auto is_quote = [](char c) { return c == '"' || c == '\''; };
  if (!value.empty() && is_quote(value.front())) value.remove_prefix(1);
  if (!value.empty() && is_quote(value.back())) value.remove_suffix(1);
  while (!value.empty() && is_white(value.back())) value.remove_suffix(1);
  return value;
}

const std::string* SettingsFileSection::find(std::string_view setting) const {
  for (const auto& [name, value] : values) {
    if (name == setting) return &value;
  }
  return nullptr;
}

size_t SettingsFileSection::line_of(std::string_view setting) const {
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].first == setting) return lines[i];
  }
  return 0;
}

void check_owners(const SettingsFileSection& section, const std::string& path) {
  for (const auto& [setting, options] : section.file_options) {
    check_owner("owner", options.owner, setting, path, options.line);
    check_owner("group", options.group, setting, path, options.line);
  }
}

std::vector<SettingsFileSection> parse_settings_file(std::string_view text, const std::string& path,
                                                     std::span<const std::string_view> allowed) {
  const std::vector<SectionLines> lines = split_sections(text, path);
  for (const SectionLines& section : lines) check_allowed(section, path, allowed);
  std::vector<SettingsFileSection> sections;
  sections.reserve(lines.size());
  for (const SectionLines& section : lines) sections.push_back(parse_section(section, path));
  return sections;
}

}  // namespace bunraku
