// Patterns of times, as in PostgreSQL's to_char.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <ctime>
#include <optional>

#include "base/text/utf8.h"
#include "store/time_text.h"

namespace bunraku::store {
namespace {

constexpr int64_t kMicroseconds = 1'000'000;
constexpr std::array<std::string_view, 12> kMonths{"January",   "February", "March",    "April",
                                                   "May",       "June",     "July",     "August",
                                                   "September", "October",  "November", "December"};
constexpr std::array<std::string_view, 7> kDays{"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 12> kRoman{"I",   "II",   "III", "IV", "V",  "VI",
                                                  "VII", "VIII", "IX",  "X",  "XI", "XII"};
constexpr int64_t kJulianDayOfEpoch = 2440588;

struct Moment {
  std::tm fields{};
  int64_t fraction = 0;  // microseconds
  int64_t julian_day = 0;
  int iso_year = 0, iso_week = 0, iso_weekday = 0;  // Monday is 1

  int year() const { return fields.tm_year + 1900; }
  int seconds_of_day() const { return fields.tm_hour * 3600 + fields.tm_min * 60 + fields.tm_sec; }
  int hour12() const { return fields.tm_hour % 12 == 0 ? 12 : fields.tm_hour % 12; }
};

Moment moment_of(int64_t microseconds) {
  Moment moment;
  int64_t seconds = microseconds / kMicroseconds;
  moment.fraction = microseconds % kMicroseconds;
  if (moment.fraction < 0) moment.fraction += kMicroseconds, --seconds;
  const std::time_t time = seconds;
  gmtime_r(&time, &moment.fields);
  constexpr int64_t kDay = 86'400;
  moment.julian_day = (seconds - ((seconds % kDay) + kDay) % kDay) / kDay + kJulianDayOfEpoch;
  const auto number = [&](const char* format) {
    std::array<char, 16> text{};
    std::strftime(text.data(), text.size(), format, &moment.fields);
    return std::atoi(text.data());
  };
  moment.iso_year = number("%G");
  moment.iso_week = number("%V");
  moment.iso_weekday = number("%u");
  return moment;
}

enum class Case : uint8_t { kUpper, kTitle, kLower };

std::string in_case(std::string_view text, Case form) {
  switch (form) {
    case Case::kUpper:
      return upcase(text);
    case Case::kLower:
      return downcase(text);
    case Case::kTitle:
      break;
  }
  return std::string(text);
}

// A number, padded with zeros to its width unless it has the prefix FM.
std::string number(int64_t value, int width, bool is_filled) {
  return is_filled ? fmt::format("{:0{}}", value, width) : std::to_string(value);
}

struct Word {
  std::string_view text;  // upper case
  std::string (*make)(const Moment& moment, bool is_filled);
};

// Longer words come before their prefixes. Each may also be written in lower case.
constexpr std::array<Word, 41> kNumbers{{
    {"Y,YYY", [](const Moment& m,
                 bool) { return fmt::format("{},{:03}", m.year() / 1000, m.year() % 1000); }},
    {"YYYY", [](const Moment& m, bool f) { return number(m.year(), 4, f); }},
    {"YYY", [](const Moment& m, bool f) { return number(m.year() % 1000, 3, f); }},
    {"YY", [](const Moment& m, bool f) { return number(m.year() % 100, 2, f); }},
    {"Y", [](const Moment& m, bool f) { return number(m.year() % 10, 1, f); }},
    {"IYYY", [](const Moment& m, bool f) { return number(m.iso_year, 4, f); }},
    {"IYY", [](const Moment& m, bool f) { return number(m.iso_year % 1000, 3, f); }},
    {"IY", [](const Moment& m, bool f) { return number(m.iso_year % 100, 2, f); }},
    {"IDDD",
     [](const Moment& m, bool f) { return number((m.iso_week - 1) * 7 + m.iso_weekday, 3, f); }},
    {"IW", [](const Moment& m, bool f) { return number(m.iso_week, 2, f); }},
    {"ID", [](const Moment& m, bool f) { return number(m.iso_weekday, 1, f); }},
    {"I", [](const Moment& m, bool f) { return number(m.iso_year % 10, 1, f); }},
    {"HH24", [](const Moment& m, bool f) { return number(m.fields.tm_hour, 2, f); }},
    {"HH12", [](const Moment& m, bool f) { return number(m.hour12(), 2, f); }},
    {"HH", [](const Moment& m, bool f) { return number(m.hour12(), 2, f); }},
    {"SSSSS", [](const Moment& m, bool) { return std::to_string(m.seconds_of_day()); }},
    {"SSSS", [](const Moment& m, bool) { return std::to_string(m.seconds_of_day()); }},
    {"SS", [](const Moment& m, bool f) { return number(m.fields.tm_sec, 2, f); }},
    {"MI", [](const Moment& m, bool f) { return number(m.fields.tm_min, 2, f); }},
    {"MM", [](const Moment& m, bool f) { return number(m.fields.tm_mon + 1, 2, f); }},
    {"MS", [](const Moment& m, bool) { return number(m.fraction / 1000, 3, true); }},
    {"US", [](const Moment& m, bool) { return number(m.fraction, 6, true); }},
    {"FF1", [](const Moment& m, bool) { return number(m.fraction / 100'000, 1, true); }},
    {"FF2", [](const Moment& m, bool) { return number(m.fraction / 10'000, 2, true); }},
    {"FF3", [](const Moment& m, bool) { return number(m.fraction / 1000, 3, true); }},
    {"FF4", [](const Moment& m, bool) { return number(m.fraction / 100, 4, true); }},
    {"FF5", [](const Moment& m, bool) { return number(m.fraction / 10, 5, true); }},
    {"FF6", [](const Moment& m, bool) { return number(m.fraction, 6, true); }},
    {"DDD", [](const Moment& m, bool f) { return number(m.fields.tm_yday + 1, 3, f); }},
    {"DD", [](const Moment& m, bool f) { return number(m.fields.tm_mday, 2, f); }},
    {"D", [](const Moment& m, bool f) { return number(m.fields.tm_wday + 1, 1, f); }},
    {"WW", [](const Moment& m, bool f) { return number(m.fields.tm_yday / 7 + 1, 2, f); }},
    {"W", [](const Moment& m, bool f) { return number((m.fields.tm_mday - 1) / 7 + 1, 1, f); }},
    {"CC", [](const Moment& m, bool f) { return number((m.year() + 99) / 100, 2, f); }},
    {"J", [](const Moment& m, bool) { return std::to_string(m.julian_day); }},
    {"Q", [](const Moment& m, bool) { return std::to_string(m.fields.tm_mon / 3 + 1); }},
    {"TZH", [](const Moment&, bool) { return std::string("+00"); }},
    {"TZM", [](const Moment&, bool) { return std::string("00"); }},
    {"OF", [](const Moment&, bool) { return std::string("+00"); }},
    {"FX", [](const Moment&, bool) { return std::string(); }},
    {"TM", [](const Moment&, bool) { return std::string(); }},
}};

// Words whose case determines the case of their text; some are padded with blanks.
struct TextWord {
  std::string_view upper, title, lower;  // empty title: there is none
  size_t width;
  std::string (*make)(const Moment& moment);
};
constexpr std::array<TextWord, 13> kTexts{{
    {"MONTH", "Month", "month", 9,
     [](const Moment& m) { return std::string(kMonths[static_cast<size_t>(m.fields.tm_mon)]); }},
    {"MON", "Mon", "mon", 3,
     [](const Moment& m) {
       return std::string(kMonths[static_cast<size_t>(m.fields.tm_mon)].substr(0, 3));
     }},
    {"DAY", "Day", "day", 9,
     [](const Moment& m) { return std::string(kDays[static_cast<size_t>(m.fields.tm_wday)]); }},
    {"DY", "Dy", "dy", 3,
     [](const Moment& m) {
       return std::string(kDays[static_cast<size_t>(m.fields.tm_wday)].substr(0, 3));
     }},
    {"RM", "", "rm", 4,
     [](const Moment& m) { return std::string(kRoman[static_cast<size_t>(m.fields.tm_mon)]); }},
    {"A.M.", "", "a.m.", 4,
     [](const Moment& m) { return std::string(m.fields.tm_hour < 12 ? "A.M." : "P.M."); }},
    {"P.M.", "", "p.m.", 4,
     [](const Moment& m) { return std::string(m.fields.tm_hour < 12 ? "A.M." : "P.M."); }},
    {"AM", "", "am", 2,
     [](const Moment& m) { return std::string(m.fields.tm_hour < 12 ? "AM" : "PM"); }},
    {"PM", "", "pm", 2,
     [](const Moment& m) { return std::string(m.fields.tm_hour < 12 ? "AM" : "PM"); }},
    {"B.C.", "", "b.c.", 4, [](const Moment&) { return std::string("A.D."); }},
    {"A.D.", "", "a.d.", 4, [](const Moment&) { return std::string("A.D."); }},
    {"BC", "", "bc", 2, [](const Moment&) { return std::string("AD"); }},
    {"AD", "", "ad", 2, [](const Moment&) { return std::string("AD"); }},
}};

bool takes(std::string_view& pattern, std::string_view word) {
  if (word.empty() || !pattern.starts_with(word)) return false;
  pattern.remove_prefix(word.size());
  return true;
}

std::string with_ending(std::string text, std::string_view& pattern) {
  const bool is_upper = pattern.starts_with("TH");
  if (!is_upper && !pattern.starts_with("th")) return text;
  pattern.remove_prefix(2);
  const char last = text.back();
  const bool is_teen = text.size() > 1 && text[text.size() - 2] == '1';
  const std::string ending = is_teen       ? "th"
                             : last == '1' ? "st"
                             : last == '2' ? "nd"
                             : last == '3' ? "rd"
                                           : "th";
  return text + (is_upper ? upcase(ending) : ending);
}

std::optional<std::string> take_word(std::string_view& pattern, const Moment& moment,
                                     bool is_filled) {
  for (const TextWord& word : kTexts) {
    const std::optional<Case> form = takes(pattern, word.upper)   ? std::optional(Case::kUpper)
                                     : takes(pattern, word.title) ? std::optional(Case::kTitle)
                                     : takes(pattern, word.lower) ? std::optional(Case::kLower)
                                                                  : std::nullopt;
    if (!form) continue;
    std::string text = in_case(word.make(moment), *form);
    if (is_filled && text.size() < word.width) text.append(word.width - text.size(), ' ');
    return text;
  }
  for (const Word& word : kNumbers) {
    if (!takes(pattern, word.text) && !takes(pattern, downcase(word.text))) continue;
    std::string text = word.make(moment, is_filled);
    return text.empty() ? text : with_ending(std::move(text), pattern);
  }
  if (takes(pattern, "TZ")) return "UTC";
  if (takes(pattern, "tz")) return "utc";
  return {};
}

}  // namespace

std::string formatted_time(int64_t microseconds, std::string_view pattern) {
  const Moment moment = moment_of(microseconds);
  std::string result;
  while (!pattern.empty()) {
    if (pattern[0] == '"') {
      const size_t end = std::min(pattern.find('"', 1), pattern.size());
      result += pattern.substr(1, end - 1);
      pattern.remove_prefix(std::min(end + 1, pattern.size()));
      continue;
    }
    const bool is_filled = !takes(pattern, "FM") && !takes(pattern, "fm");
    if (const auto text = take_word(pattern, moment, is_filled)) {
      result += *text;
    } else if (is_filled) {
      result += pattern[0];
      pattern.remove_prefix(1);
    }
  }
  return result;
}

}  // namespace bunraku::store
