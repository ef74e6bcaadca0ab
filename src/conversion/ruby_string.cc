#include "conversion/ruby_string.h"

#include <cstdlib>
#include <limits>

#include "base/regex/regex.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "types/type_text.h"

namespace bunraku {

namespace {

bool is_ascii_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

void skip_space_and_sign(std::string_view text, size_t& at, bool& negative) {
  while (at < text.size() && is_ascii_space(text[at])) ++at;
  negative = at < text.size() && text[at] == '-';
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
}

// Appends digits, with single underscores allowed between them, to `digits`.
void read_digits(std::string_view text, size_t& at, std::string& digits) {
  while (at < text.size()) {
    if (is_digit(text[at])) {
      digits += text[at++];
    } else if (text[at] == '_' && at > 0 && is_digit(text[at - 1]) && at + 1 < text.size() &&
               is_digit(text[at + 1])) {
      ++at;
    } else {
      return;
    }
  }
}

}  // namespace

int64_t leading_integer(std::string_view text) {
  size_t at = 0;
  bool negative = false;
  skip_space_and_sign(text, at, negative);
  std::string digits;
  read_digits(text, at, digits);
  constexpr uint64_t kMost = std::numeric_limits<int64_t>::max();
  uint64_t result = 0;
  for (const char digit : digits) {
    const uint64_t value = static_cast<uint64_t>(digit - '0');
    if (result > (kMost - value) / 10) {
      return negative ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
    }
    result = result * 10 + value;
  }
  return negative ? -static_cast<int64_t>(result) : static_cast<int64_t>(result);
}

double leading_float(std::string_view text) {
  size_t at = 0;
  bool negative = false;
  skip_space_and_sign(text, at, negative);
  std::string digits;
  read_digits(text, at, digits);
  if (at + 1 < text.size() && text[at] == '.' && is_digit(text[at + 1])) {
    digits += '.';
    read_digits(text, ++at, digits);
  }
  if (digits.empty()) return 0.0;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    size_t exponent = at + 1;
    std::string written = "e";
    if (exponent < text.size() && (text[exponent] == '-' || text[exponent] == '+')) {
      written += text[exponent++];
    }
    if (exponent < text.size() && is_digit(text[exponent])) {
      read_digits(text, exponent, written);
      digits += written;
    }
  }
  const double result = std::strtod(digits.c_str(), nullptr);
  return negative ? -result : result;
}

std::string_view ruby_chomp(std::string_view text) {
  if (text.ends_with("\r\n")) return text.substr(0, text.size() - 2);
  if (text.ends_with('\n') || text.ends_with('\r')) return text.substr(0, text.size() - 1);
  return text;
}

std::string_view ruby_chop(std::string_view text) {
  if (text.empty()) return text;
  if (text.ends_with("\r\n")) return text.substr(0, text.size() - 2);
  size_t start = text.size() - 1;
  while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xC0) == 0x80) --start;
  return text.substr(0, start);
}

std::string_view ruby_lstrip(std::string_view text) {
  while (!text.empty() && (text.front() == '\0' || is_ascii_space(text.front()))) {
    text.remove_prefix(1);
  }
  return text;
}

std::string_view ruby_rstrip(std::string_view text) {
  while (!text.empty() && (text.back() == '\0' || is_ascii_space(text.back()))) {
    text.remove_suffix(1);
  }
  return text;
}

std::vector<std::string_view> ruby_split(std::string_view text, const Regex& pattern) {
  if (pattern.is_literal() && is_valid_utf8(text)) return ruby_split(text, pattern.source());
  std::vector<std::string_view> pieces;
  Captures match;
  size_t begin = 0;  // the start of the current piece
  size_t start = 0;  // the start of the next search
  bool last_empty = false;
  while (start <= text.size() && pattern.search(text, start, match)) {
    if (match.begin() == start && match.end() == start) {
      if (text.empty()) break;
      if (!last_empty) {
        start +=
            start == text.size() ? 1 : character_length(static_cast<unsigned char>(text[start]));
        last_empty = true;
        continue;
      }
      pieces.push_back(
          text.substr(begin, character_length(static_cast<unsigned char>(text[begin]))));
      begin = start;
    } else {
      pieces.push_back(text.substr(begin, match.begin() - begin));
      begin = start = match.end();
    }
    last_empty = false;
    for (size_t group = 1; group < match.size(); ++group) {
      if (match.matched(group)) pieces.push_back(match.text(text, group));
    }
  }
  if (begin < text.size()) pieces.push_back(text.substr(begin));
  while (!pieces.empty() && pieces.back().empty()) pieces.pop_back();
  return pieces;
}

std::vector<std::string_view> ruby_split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> pieces;
  size_t begin = 0;
  for (size_t end; (end = text.find(separator, begin)) != text.npos;) {
    pieces.push_back(text.substr(begin, end - begin));
    begin = end + separator.size();
  }
  if (begin < text.size()) pieces.push_back(text.substr(begin));
  while (!pieces.empty() && pieces.back().empty()) pieces.pop_back();
  return pieces;
}

std::vector<std::string_view> ruby_split_words(std::string_view text) {
  std::vector<std::string_view> words;
  size_t at = 0;
  while (at < text.size()) {
    while (at < text.size() && (text[at] == '\0' || is_ascii_space(text[at]))) ++at;
    const size_t begin = at;
    while (at < text.size() && text[at] != '\0' && !is_ascii_space(text[at])) ++at;
    if (at > begin) words.push_back(text.substr(begin, at - begin));
  }
  return words;
}

Value reference_as_text(Arena& arena, Value value) {
  if (!value.is_type() || !is_catalog_reference(value.as_type())) return value;
  return Value::string(arena, catalog_reference_text(value.as_type()));
}

int ruby_casecmp(std::string_view a, std::string_view b) {
  const size_t common = a.size() < b.size() ? a.size() : b.size();
  for (size_t i = 0; i < common; ++i) {
    auto x = static_cast<unsigned char>(to_lower(a[i]));
    auto y = static_cast<unsigned char>(to_lower(b[i]));
    if (x != y) return x < y ? -1 : 1;
  }
  return (a.size() > b.size()) - (a.size() < b.size());
}

}  // namespace bunraku
