#include "environment/puppet_conf.h"

#include <fmt/core.h>

#include <algorithm>

#include "support/diagnostic.h"
#include "support/regex.h"

namespace bunraku {
namespace {

[[noreturn]] void fail(std::string message) {
  throw EvaluationError(make_diagnostic(Issue::kInvalidSetting, {}, {std::move(message)}),
                        ErrorKind::kError);
}

bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

void check_section(std::string_view name, const std::string& path, size_t line) {
  constexpr std::string_view kSections[] = {"main", "server", "master", "agent", "user"};
  if (std::find(std::begin(kSections), std::end(kSections), name) != std::end(kSections)) return;
  fail(fmt::format(
      "Illegal section '{}' in config file at (file: {}, line: {}). The only valid puppet.conf "
      "sections are: [main, server, master, agent, user]. Please use the directory "
      "environments feature to specify environments.",
      name, path, line));
}

// "/x {owner = root, mode = 0644}" without what is in braces. "${name}" stays.
std::string without_file_options(std::string_view value) {
  size_t brace = value.find('{');
  bool is_interpolation = brace != std::string_view::npos && brace > 0 && value[brace - 1] == '$';
  size_t end = brace == std::string_view::npos ? brace : value.find('}', brace);
  if (brace == std::string_view::npos || end == std::string_view::npos || is_interpolation) {
    return std::string(value);
  }
  std::string rest(value.substr(0, brace));
  rest += value.substr(end + 1);
  return std::string(trimmed(rest));
}

PuppetConfSection& section_of(std::vector<PuppetConfSection>& sections, std::string_view name) {
  for (PuppetConfSection& section : sections) {
    if (section.name == name) return section;
  }
  sections.push_back({std::string(name), {}});
  return sections.back();
}

// The reference refuses these three wherever they stand.
void check_environment_settings(const std::vector<PuppetConfSection>& sections) {
  std::string found;
  for (std::string_view name : {"modulepath", "manifest", "config_version"}) {
    bool is_there =
        std::any_of(sections.begin(), sections.end(), [name](const PuppetConfSection& section) {
          return std::any_of(section.values.begin(), section.values.end(),
                             [name](const auto& value) { return value.first == name; });
        });
    if (is_there) found += fmt::format("{}{}", found.empty() ? "" : ", ", name);
  }
  if (!found.empty()) fail(fmt::format("Cannot set {} settings in puppet.conf", found));
}

}  // namespace

std::vector<PuppetConfSection> parse_puppet_conf(std::string_view text, const std::string& path) {
  static const Regex* const kHeading = Regex::compile(R"(^\s*\[([[:word:]]+)\]\s*$)");
  static const Regex* const kSetting = Regex::compile(R"(^\s*([[:word:]]+)\s*=\s*(.*?)\s*$)");
  std::vector<PuppetConfSection> sections = {{"main", {}}};
  std::string current = "main";
  Captures captures;
  for (size_t number = 1; !text.empty(); ++number) {
    size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (kHeading->search(line, 0, captures)) {
      current = captures.text(line, 1);
      check_section(current, path, number);
    } else if (kSetting->search(line, 0, captures)) {
      section_of(sections, current)
          .values.emplace_back(captures.text(line, 1),
                               without_file_options(captures.text(line, 2)));
    } else if (std::string_view content = trimmed(line);
               !content.empty() && content.front() != '#') {
      fail(fmt::format("Could not match line {} (file: {}, line: {})", line, path, number));
    }
  }
  check_environment_settings(sections);
  return sections;
}

}  // namespace bunraku
