// Parses and writes times.
#include "store/time_text.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <chrono>
#include <ctime>
#include <utility>

namespace bunraku::store {
namespace {

constexpr int64_t kMicroseconds = 1'000'000;

class TimeReader {
 public:
  explicit TimeReader(std::string_view text) : rest_(text) {}

  std::optional<int> digits(size_t count) {
    if (rest_.size() < count) return {};
    int value = 0;
    for (size_t i = 0; i < count; ++i) {
      if (rest_[i] < '0' || rest_[i] > '9') return {};
      value = value * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(count);
    return value;
  }
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // Reads digits after a point or comma; digits beyond the sixth are dropped.
  int64_t fraction() {
    int64_t value = 0;
    int64_t unit = kMicroseconds / 10;
    while (!rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9') {
      value += (rest_[0] - '0') * unit;
      unit /= 10;
      rest_.remove_prefix(1);
    }
    return value;
  }
  bool is_done() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

int64_t days_from_civil(int64_t year, int month, int day) {
  year -= month <= 2 ? 1 : 0;
  const int64_t era = (year >= 0 ? year : year - 399) / 400;
  const int64_t year_of_era = year - era * 400;
  const int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 719468;
}

// Splits into whole seconds, rounded down, and the remaining microseconds.
std::pair<int64_t, int64_t> split_time(int64_t microseconds) {
  int64_t seconds = microseconds / kMicroseconds;
  int64_t fraction = microseconds % kMicroseconds;
  if (fraction < 0) fraction += kMicroseconds, --seconds;
  return {seconds, fraction};
}

struct Parts {
  std::tm fields{};
  int64_t fraction = 0;  // microseconds
};

Parts parts_of(int64_t microseconds) {
  Parts parts;
  const auto [seconds, fraction] = split_time(microseconds);
  parts.fraction = fraction;
  const std::time_t time = seconds;
  gmtime_r(&time, &parts.fields);
  return parts;
}

void append_digits(std::string& to, int64_t value, size_t count) {
  const size_t begin = to.size();
  to.append(count, '0');
  for (size_t i = begin + count; i > begin && value > 0; value /= 10) {
    to[--i] = static_cast<char>('0' + value % 10);
  }
}

// "2026-11-22T17:31:21". The day is cached, because rows of an answer often have the same day.
std::string date_and_time(int64_t seconds) {
  struct Day {
    int64_t number = INT64_MIN;
    std::string text;  // "2026-11-22T"
  };
  constexpr int64_t kSecondsOfDay = 86'400;
  thread_local Day last;
  const int64_t second = ((seconds % kSecondsOfDay) + kSecondsOfDay) % kSecondsOfDay;
  const int64_t day = (seconds - second) / kSecondsOfDay;
  if (day != last.number) {
    const Parts parts = parts_of(day * kSecondsOfDay * kMicroseconds);
    const std::tm& t = parts.fields;
    last.number = day;
    last.text = fmt::format("{:04}-{:02}-{:02}T", t.tm_year + 1900, t.tm_mon + 1, t.tm_mday);
  }
  std::string text;
  text.reserve(32);
  text += last.text;
  append_digits(text, second / 3600, 2);
  text += ':';
  append_digits(text, second / 60 % 60, 2);
  text += ':';
  append_digits(text, second % 60, 2);
  return text;
}

// Seconds east of UTC; no value for an invalid offset.
std::optional<int64_t> read_offset(TimeReader& reader) {
  if (reader.is_done() || reader.take('Z') || reader.take('z')) return 0;
  const bool is_west = reader.take('-');
  if (!is_west && !reader.take('+')) return {};
  const auto hours = reader.digits(2);
  reader.take(':');
  const auto minutes = reader.is_done() ? std::optional<int>(0) : reader.digits(2);
  if (!hours || !minutes) return {};
  const int64_t offset = *hours * 3600 + *minutes * 60;
  return is_west ? -offset : offset;
}

}  // namespace

int64_t now_microseconds() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::optional<int64_t> parse_time(std::string_view text) {
  if (text.empty()) return {};
  if (text.find_first_not_of("0123456789") == std::string_view::npos && text.size() > 4 &&
      text.size() < 17) {
    int64_t milliseconds = 0;
    std::from_chars(text.data(), text.data() + text.size(), milliseconds);
    return milliseconds * 1000;
  }
  TimeReader reader(text);
  const auto year = reader.digits(4);
  int month = 1, day = 1;
  if (!year) return {};
  if (reader.take('-')) {
    const auto given = reader.digits(2);
    if (!given || *given < 1 || *given > 12) return {};
    month = *given;
    if (reader.take('-')) {
      const auto given_day = reader.digits(2);
      if (!given_day || *given_day < 1 || *given_day > 31) return {};
      day = *given_day;
    }
  }
  int64_t seconds = days_from_civil(*year, month, day) * 86'400;
  int64_t fraction = 0;
  if (reader.is_done()) return seconds * kMicroseconds;
  if (!reader.take('T') && !reader.take(' ')) return {};
  const auto hour = reader.digits(2);
  if (!hour || *hour > 24) return {};
  seconds += *hour * 3600;
  if (reader.take(':')) {
    const auto minute = reader.digits(2);
    if (!minute || *minute > 59) return {};
    seconds += *minute * 60;
    if (reader.take(':')) {
      const auto second = reader.digits(2);
      if (!second || *second > 60) return {};
      seconds += *second;
      if (reader.take('.') || reader.take(',')) fraction = reader.fraction();
    }
  }
  const auto offset = read_offset(reader);
  if (!offset || !reader.is_done()) return {};
  return (seconds - *offset) * kMicroseconds + fraction;
}

std::string time_text(int64_t microseconds) {
  const auto [seconds, fraction] = split_time(microseconds);
  std::string text = date_and_time(seconds);
  text += '.';
  append_digits(text, fraction / 1000, 3);
  text += 'Z';
  return text;
}

std::string database_time_text(int64_t microseconds) {
  const auto [seconds, fraction] = split_time(microseconds);
  std::string text = date_and_time(seconds);
  if (fraction != 0) {
    text += '.';
    append_digits(text, fraction, 6);
    while (text.ends_with('0')) text.pop_back();
  }
  return text + "+00:00";
}

}  // namespace bunraku::store
