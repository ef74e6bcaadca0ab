// Parsing of small texts in which the system describes itself.
#include "facts/text.h"

#include <limits>

namespace bunraku::facts {
namespace {

constexpr std::string_view kBlanks(" \t\r\n\f\v\0", 7);

std::vector<std::string_view> parts_between(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  size_t at = text.find_first_not_of(separators);
  while (at != std::string_view::npos) {
    const size_t end = std::min(text.find_first_of(separators, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(separators, end);
  }
  return parts;
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, char separator) {
  return parts_between(text, std::string_view(&separator, 1));
}

std::vector<std::string_view> words(std::string_view text) {
  return parts_between(text, kBlanks);
}

std::vector<std::string_view> lines(std::string_view text) {
  return parts_between(text, "\r\n");
}

int64_t leading_integer(std::string_view text) {
  text = stripped(text);
  int64_t value = 0;
  for (const char letter : text) {
    if (letter < '0' || letter > '9') break;
    if (value > (std::numeric_limits<int64_t>::max() - 9) / 10) break;
    value = value * 10 + (letter - '0');
  }
  return value;
}

std::optional<std::string_view> line_value(std::string_view text, std::string_view key) {
  for (const std::string_view line : lines(text)) {
    if (!line.starts_with(key)) continue;
    const std::string_view rest = line.substr(key.size());
    const std::string_view value = stripped(rest);
    if (value.empty() || value.size() == rest.size()) continue;
    return value;
  }
  return std::nullopt;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string_view after_last_slash(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace bunraku::facts
