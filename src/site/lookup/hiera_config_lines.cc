#include "site/lookup/hiera_config_lines.h"

#include <memory>

#include "base/diagnostics/file_range.h"
#include "base/diagnostics/source.h"
#include "base/system/file_system.h"
#include "base/text/ascii.h"
#include "site/lookup/lookup_error.h"

namespace bunraku {
namespace {

SourcePointer source_of(const std::string& path) {
  return std::make_shared<SourceFile>(path, read_file(path));
}

// The line up to an unquoted hash sign.
std::string_view without_comment(std::string_view line) {
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' || c == '\'') {
      if (quote == 0)
        quote = c;
      else if (quote == c)
        quote = 0;
    } else if (c == '#') {
      return line.substr(0, i);
    }
  }
  return line;
}

// Returns whether the line has "name:" followed by the name as a whole word, quoted or not.
bool names(std::string_view line, std::string_view name) {
  size_t at = line.find("name:");
  if (at == std::string_view::npos || at == 0 || line[at - 1] != ' ') return false;
  at += 5;
  if (at >= line.size() || line[at] != ' ') return false;
  while (at < line.size() && line[at] == ' ') ++at;
  if (at < line.size() && (line[at] == '"' || line[at] == '\'')) ++at;
  line.remove_prefix(std::min(at, line.size()));
  return line.starts_with(name) &&
         (line.size() == name.size() || !is_word_character(line[name.size()]));
}

// A match at the start of the line does not count, as in the reference.
bool has_word(std::string_view line, std::string_view word) {
  for (size_t at = line.find(word, 1); at != std::string_view::npos; at = line.find(word, at + 1)) {
    const size_t end = at + word.size();
    if (!is_word_character(line[at - 1]) && (end == line.size() || !is_word_character(line[end])))
      return true;
  }
  return false;
}

template <typename Matches>
uint32_t find_line(const std::string& path, uint32_t first_line, Matches matches) {
  if (path.empty()) return 0;
  const SourcePointer source = source_of(path);
  for (uint32_t number = first_line; number <= source->line_count(); ++number) {
    if (matches(without_comment(source->line(number)))) return number;
  }
  return 0;
}

}  // namespace

uint32_t line_with_name(const std::string& path, std::string_view name, uint32_t first_line) {
  return find_line(path, first_line, [&](std::string_view line) { return names(line, name); });
}

uint32_t line_with_word(const std::string& path, std::string_view word, uint32_t first_line) {
  return find_line(path, first_line, [&](std::string_view line) { return has_word(line, word); });
}

uint32_t line_with_text(const std::string& path, std::string_view text) {
  return find_line(
      path, 1, [&](std::string_view line) { return line.find(text) != std::string_view::npos; });
}

void fail_at_line(const std::string& path, uint32_t line, Issue issue,
                  std::vector<std::string> arguments) {
  Range range;
  if (!path.empty()) range = range_at(source_of(path), line);
  throw EvaluationError(make_diagnostic(issue, std::move(range), std::move(arguments)),
                        ErrorKind::kLookup);
}

}  // namespace bunraku
