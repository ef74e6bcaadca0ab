#include "functions/stdlib/ruby_succ.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "base/text/ascii.h"

namespace bunraku::stdlib {

namespace {

bool is_alphanumeric(char c) {
  return is_digit(c) || is_lower(c) || is_upper(c);
}

// Increments a letter or digit within its kind; returns true when it wraps around.
bool carries(char& c) {
  switch (c) {
    case '9':
      c = '0';
      return true;
    case 'z':
      c = 'a';
      return true;
    case 'Z':
      c = 'A';
      return true;
    default:
      ++c;
      return false;
  }
}

char first_of_kind(char c) {
  return is_digit(c) ? '1' : is_lower(c) ? 'a' : 'A';
}

// Text without letters and digits is incremented as a number of base 256.
std::string next_bytes(std::string text) {
  for (size_t i = text.size(); i-- > 0;) {
    if (static_cast<unsigned char>(text[i]) != 0xFF) {
      ++text[i];
      return text;
    }
    text[i] = '\0';
  }
  return '\1' + text;
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

}  // namespace

std::string ruby_succ(std::string_view given) {
  std::string text(given);
  if (text.empty()) return text;
  if (std::ranges::none_of(text, is_alphanumeric)) return next_bytes(text);
  size_t last_changed = 0;
  bool has_changed = false;
  for (size_t i = text.size(); i-- > 0;) {
    if (!is_alphanumeric(text[i])) {
      // A carry skips other characters if there are letters or digits on both sides, but it does
      // not pass from letters to digits or from digits to letters.
      if (!has_changed) continue;
      const bool more = std::ranges::any_of(std::string_view(text).substr(0, i), is_alphanumeric);
      if (!more) break;
      const size_t before = std::string_view(text).substr(0, i).find_last_of(
          "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
      if (is_digit(text[before]) != is_digit(text[last_changed])) break;
      continue;
    }
    has_changed = true;
    last_changed = i;
    if (!carries(text[i])) return text;
  }
  const char first = first_of_kind(text[last_changed] == '0' ? '0' : text[last_changed]);
  text.insert(last_changed, 1, first);
  return text;
}

void ruby_upto(const std::string& first, const std::string& last, bool is_exclusive,
               const std::function<bool(const std::string&)>& visit) {
  if (first.size() == 1 && last.size() == 1 && static_cast<unsigned char>(first[0]) < 0x80 &&
      static_cast<unsigned char>(last[0]) < 0x80) {
    for (int c = static_cast<unsigned char>(first[0]); is_exclusive ? c < last[0] : c <= last[0];
         ++c) {
      if (!visit(std::string(1, static_cast<char>(c)))) return;
    }
    return;
  }
  constexpr size_t kLargestNumber = 18;
  if (all_digits(first) && all_digits(last) && first.size() <= kLargestNumber &&
      last.size() <= kLargestNumber) {
    // Counted as numbers, padded with zeros to the width of the first.
    const int64_t end = std::strtoll(last.c_str(), nullptr, 10);
    for (int64_t i = std::strtoll(first.c_str(), nullptr, 10); is_exclusive ? i < end : i <= end;
         ++i) {
      std::string text = std::to_string(i);
      if (text.size() < first.size()) text.insert(0, first.size() - text.size(), '0');
      if (!visit(text)) return;
    }
    return;
  }
  if (first > last || (is_exclusive && first == last)) return;
  const std::string after = ruby_succ(last);
  for (std::string current = first; current != after;) {
    const bool is_last = current == last;
    if (is_exclusive && is_last) return;
    if (!visit(current) || (!is_exclusive && is_last)) return;
    current = ruby_succ(current);
    if (current.size() > last.size() || current.empty()) return;
  }
}

}  // namespace bunraku::stdlib
