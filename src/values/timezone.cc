#include "values/timezone.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/text/ascii.h"

namespace bunraku {

namespace {

struct Zone {
  std::string_view name;
  int32_t offset;
};

constexpr Zone kZones[] = {
#include "base/text/ascii.h"
#include "values/timezones.inc"
};

constexpr int64_t kHour = 3600;

// Returns the text in lower case, with one blank for each run of blanks.
std::string normalized(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (is_white(c)) {
      if (!out.empty() && out.back() != ' ') out += ' ';
    } else {
      out += to_lower(c);
    }
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

bool take_suffix(std::string& text, std::string_view suffix) {
  if (!std::string_view(text).ends_with(suffix)) return false;
  text.resize(text.size() - suffix.size());
  return true;
}

std::optional<int64_t> named_offset(std::string_view name) {
  const Zone* found = std::ranges::lower_bound(kZones, name, {}, &Zone::name);
  if (found == std::end(kZones) || found->name != name) return std::nullopt;
  return found->offset;
}

size_t count_digits(std::string_view text) {
  size_t count = 0;
  while (count < text.size() && is_digit(text[count])) count++;
  return count;
}

int64_t number_of(std::string_view digits) {
  int64_t number = 0;
  for (const char digit : digits.substr(0, 9)) number = number * 10 + (digit - '0');
  return number;
}

// Parses hh:mm:ss, hh.fraction or hhmmss, without its sign.
int64_t clock_offset(std::string_view text) {
  size_t digits = count_digits(text);
  const char separator = digits < text.size() ? text[digits] : '\0';
  if (separator == ':') {
    int64_t offset = number_of(text.substr(0, digits)) * kHour;
    text.remove_prefix(digits + 1);
    digits = count_digits(text);
    offset += number_of(text.substr(0, digits)) * 60;
    if (digits < text.size()) offset += number_of(text.substr(digits + 1));
    return offset;
  }
  if (separator == '.' || separator == ',') {
    const int64_t offset = number_of(text.substr(0, digits)) * kHour;
    const std::string_view fraction = text.substr(digits + 1, 7);
    int64_t scale = 1;
    for (size_t i = 0; i < fraction.size(); i++) scale *= 10;
    return offset + (number_of(fraction) * kHour + scale / 2) / scale;
  }
  // With an odd number of digits the hour has only one.
  const size_t hour_digits = 2 - digits % 2;
  int64_t offset = number_of(text.substr(0, hour_digits)) * kHour;
  if (digits > hour_digits) offset += number_of(text.substr(hour_digits, 2)) * 60;
  if (digits > hour_digits + 2) offset += number_of(text.substr(hour_digits + 2, 2));
  return offset;
}

}  // namespace

std::optional<int64_t> timezone_offset(std::string_view zone) {
  std::string name = normalized(zone);
  int64_t summer = 0;
  if (take_suffix(name, " daylight time") || take_suffix(name, " dst")) {
    summer = kHour;
  } else {
    take_suffix(name, " standard time");
  }
  if (auto offset = named_offset(name)) return *offset + summer;
  std::string_view rest = name;
  if (rest.starts_with("gmt") || rest.starts_with("utc")) rest.remove_prefix(3);
  if (rest.size() < 2 || (rest[0] != '+' && rest[0] != '-') || !is_digit(rest[1])) {
    return std::nullopt;
  }
  const int64_t offset = clock_offset(rest.substr(1));
  return rest[0] == '-' ? -offset : offset;
}

namespace {

bool starts_with_letters(std::string_view text, std::string_view letters) {
  if (text.size() < letters.size()) return false;
  for (size_t i = 0; i < letters.size(); i++) {
    if (to_lower(text[i]) != letters[i]) return false;
  }
  return true;
}

// (gmt|utc?)?[-+]digits([,.:]digits(:digits)?)?
size_t numeric_length(std::string_view text) {
  size_t at = 0;
  for (const std::string_view prefix : {"gmt", "utc", "ut"}) {
    if (starts_with_letters(text, prefix)) {
      at = prefix.size();
      break;
    }
  }
  if (at >= text.size() || (text[at] != '-' && text[at] != '+')) return 0;
  at++;
  size_t digits = count_digits(text.substr(at));
  if (digits == 0) return 0;
  at += digits;
  if (at >= text.size() || (text[at] != ',' && text[at] != '.' && text[at] != ':')) return at;
  digits = count_digits(text.substr(at + 1));
  if (digits == 0) return at;
  at += 1 + digits;
  if (at < text.size() && text[at] == ':') {
    digits = count_digits(text.substr(at + 1));
    if (digits > 0) at += 1 + digits;
  }
  return at;
}

bool is_word(std::string_view text, size_t at) {
  return at < text.size() && (is_letter(text[at]) || is_digit(text[at]) || text[at] == '_');
}

// [letters.blanks]+(standard|daylight) time
size_t long_name_length(std::string_view text) {
  size_t run = 0;
  while (run < text.size() && (is_letter(text[run]) || text[run] == '.' || is_white(text[run])))
    run++;
  for (size_t at = run; at > 0; at--) {
    const std::string_view rest = text.substr(at);
    for (const std::string_view kind : {"standard", "daylight"}) {
      if (!starts_with_letters(rest, kind)) continue;
      size_t end = kind.size();
      size_t blanks = end;
      while (blanks < rest.size() && is_white(rest[blanks])) blanks++;
      if (blanks == end || !starts_with_letters(rest.substr(blanks), "time")) continue;
      end = blanks + 4;
      if (!is_word(rest, end)) return at + end;
    }
  }
  return 0;
}

// letters( dst)?
size_t short_name_length(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && is_letter(text[end])) end++;
  if (end == 0) return 0;
  size_t blanks = end;
  while (blanks < text.size() && is_white(text[blanks])) blanks++;
  if (blanks > end && starts_with_letters(text.substr(blanks), "dst") &&
      !is_word(text, blanks + 3)) {
    return blanks + 3;
  }
  return is_word(text, end) ? 0 : end;
}

}  // namespace

size_t timezone_length(std::string_view text) {
  if (const size_t length = numeric_length(text)) return length;
  if (const size_t length = long_name_length(text)) return length;
  return short_name_length(text);
}

}  // namespace bunraku
