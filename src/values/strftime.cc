#include "values/strftime.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "values/conversion_error.h"
#include "values/timespan.h"

namespace bunraku {

namespace {

constexpr std::string_view kMonths[] = {"January",   "February", "March",    "April",
                                        "May",       "June",     "July",     "August",
                                        "September", "October",  "November", "December"};
constexpr std::string_view kDays[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                      "Thursday", "Friday", "Saturday"};

// The limit of widths, against exhaustion of memory.
constexpr int kWidest = 1 << 16;

int64_t floor_divide(int64_t a, int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

struct Moment {
  int64_t year;
  int month, day, hour, minute, second;
  int64_t nanosecond;
  int weekday;   // 0 is Sunday
  int year_day;  // from 0
  int64_t epoch;
  int64_t offset;
  bool is_utc;

  // The number of the week: %U begins weeks on Sunday, %W on Monday.
  int week(int first_weekday) const {
    return (year_day + 7 - (weekday - first_weekday + 7) % 7) / 7;
  }
};

Moment moment_of(int64_t nanoseconds, int64_t offset, bool is_utc) {
  namespace chrono = std::chrono;
  Moment moment{};
  moment.epoch = floor_divide(nanoseconds, kNanosecondsPerSecond);
  // The whole seconds of the earliest time are outside of the range in nanoseconds.
  moment.nanosecond = nanoseconds % kNanosecondsPerSecond;
  if (moment.nanosecond < 0) moment.nanosecond += kNanosecondsPerSecond;
  moment.offset = offset;
  moment.is_utc = is_utc;
  const int64_t local = moment.epoch + offset;
  const int64_t day_number = floor_divide(local, 86400);
  const int64_t in_day = local - day_number * 86400;
  const chrono::sys_days days{chrono::days{day_number}};
  const chrono::year_month_day date{days};
  moment.year = static_cast<int>(date.year());
  moment.month = static_cast<int>(static_cast<unsigned>(date.month()));
  moment.day = static_cast<int>(static_cast<unsigned>(date.day()));
  moment.weekday = static_cast<int>(chrono::weekday{days}.c_encoding());
  const chrono::sys_days new_year{date.year() / chrono::January / 1};
  moment.year_day = static_cast<int>((days - new_year).count());
  moment.hour = static_cast<int>(in_day / 3600);
  moment.minute = static_cast<int>(in_day / 60 % 60);
  moment.second = static_cast<int>(in_day % 60);
  return moment;
}

// The ISO 8601 year and week number.
std::pair<int64_t, int> iso_week(const Moment& moment) {
  const int monday_based = (moment.weekday + 6) % 7;
  const int week = (moment.year_day - monday_based + 10) / 7;
  auto weeks_in = [](int64_t year) {
    auto weekday_of_end = [](int64_t y) {
      return ((y + floor_divide(y, 4) - floor_divide(y, 100) + floor_divide(y, 400)) % 7 + 7) % 7;
    };
    return weekday_of_end(year) == 4 || weekday_of_end(year - 1) == 3 ? 53 : 52;
  };
  if (week < 1) return {moment.year - 1, weeks_in(moment.year - 1)};
  if (week > weeks_in(moment.year)) return {moment.year + 1, 1};
  return {moment.year, week};
}

// Flags and width of one directive.
struct Style {
  bool left = false;
  bool upper = false;
  bool change_case = false;
  char padding = 0;
  int width = 0;
  int colons = 0;
};

void to_upper(std::string& text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}
void make_lower(std::string& text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

class Writer {
 public:
  Writer(const Moment& moment, std::string_view format) : moment_(moment), format_(format) {}

  std::string run() {
    size_t at = 0;
    while (at < format_.size()) {
      size_t percent = format_.find('%', at);
      if (percent == std::string_view::npos) percent = format_.size();
      out_ += format_.substr(at, percent - at);
      if (percent == format_.size()) break;
      at = directive(percent);
    }
    return std::move(out_);
  }

 private:
  // Writes the directive at `percent` and returns its end. Other text is written unchanged.
  size_t directive(size_t percent) {
    style_ = {};
    size_t at = percent + 1;
    for (; at < format_.size(); at++) {
      const char c = format_[at];
      if (c >= '1' && c <= '9') {
        at = take_width(at);
        if (style_.width > kWidest) return verbatim(percent, at + 1);
        continue;
      }
      if (c == ':') {
        size_t count = 1;
        while (count <= 3 && at + count < format_.size() && format_[at + count] == ':') count++;
        const bool is_zone =
            count <= 3 && at + count < format_.size() && format_[at + count] == 'z';
        // More than three colons have no meaning, and none has one in other directives.
        if (!is_zone && count <= 3) return verbatim(percent, at + 1);
        style_.colons = static_cast<int>(count);
        at += count - 1;
        continue;
      }
      if (c == 'E' || c == 'O') {
        const std::string_view allowed = c == 'E' ? "cCxXyY" : "deHkIlmMSuUVwWy";
        if (at + 1 >= format_.size() || allowed.find(format_[at + 1]) == std::string_view::npos) {
          return verbatim(percent, at + 1);
        }
        continue;
      }
      if (take_flag(c)) {
        if (style_.width > 0) return verbatim(percent, at + 1);
        continue;
      }
      return write(c) ? at + 1 : verbatim(percent, at + 1);
    }
    fail_conversion(Issue::kInvalidFormat, {fmt::format("invalid format: {}", format_)});
  }

  size_t take_width(size_t at) {
    int64_t width = 0;
    while (at < format_.size() && format_[at] >= '0' && format_[at] <= '9') {
      width = std::min<int64_t>(width * 10 + (format_[at++] - '0'), kWidest + 1);
    }
    style_.width = static_cast<int>(width);
    return at - 1;
  }

  bool take_flag(char c) {
    switch (c) {
      case '-':
        style_.left = true;
        style_.padding = 0;
        return true;
      case '^':
        return style_.upper = true;
      case '#':
        return style_.change_case = true;
      case '_':
        style_.padding = ' ';
        return true;
      case '0':
        style_.padding = '0';
        return true;
      default:
        return false;
    }
  }

  size_t verbatim(size_t from, size_t to) {
    out_ += format_.substr(from, to - from);
    return to;
  }

  bool write(char letter) {
    const Moment& m = moment_;
    switch (letter) {
      case 'Y':
        return year(m.year);
      case 'G':
        return year(iso_week(m).first);
      case 'C':
        return number(floor_divide(m.year, 100), '0', 2);
      case 'y':
        return number(((m.year % 100) + 100) % 100, '0', 2);
      case 'g':
        return number(((iso_week(m).first % 100) + 100) % 100, '0', 2);
      case 'm':
        return number(m.month, '0', 2);
      case 'd':
        return number(m.day, '0', 2);
      case 'e':
        return number(m.day, ' ', 2);
      case 'j':
        return number(m.year_day + 1, '0', 3);
      case 'H':
        return number(m.hour, '0', 2);
      case 'k':
        return number(m.hour, ' ', 2);
      case 'I':
        return number((m.hour + 11) % 12 + 1, '0', 2);
      case 'l':
        return number((m.hour + 11) % 12 + 1, ' ', 2);
      case 'M':
        return number(m.minute, '0', 2);
      case 'S':
        return number(m.second, '0', 2);
      case 's':
        return number(m.epoch, '0', 1);
      case 'u':
        return number(m.weekday == 0 ? 7 : m.weekday, '0', 1);
      case 'w':
        return number(m.weekday, '0', 1);
      case 'U':
        return number(m.week(0), '0', 2);
      case 'W':
        return number(m.week(1), '0', 2);
      case 'V':
        return number(iso_week(m).second, '0', 2);
      case 'L':
        return fraction(3);
      case 'N':
        return fraction(9);
      case 'A':
        return name(kDays[m.weekday]);
      case 'a':
        return name(kDays[m.weekday].substr(0, 3));
      case 'B':
        return name(kMonths[m.month - 1]);
      case 'b':
      case 'h':
        return name(kMonths[m.month - 1].substr(0, 3));
      case 'p':
        return half_of_day(style_.change_case);
      case 'P':
        return half_of_day(!style_.upper && !style_.change_case);
      case 'Z':
        return zone_name();
      case 'z':
        return zone_offset();
      case 'n':
        return text("\n");
      case 't':
        return text("\t");
      case '%':
        return text("%");
      case 'c':
        return composed("%a %b %e %H:%M:%S %Y");
      case 'D':
      case 'x':
        return composed("%m/%d/%y");
      case 'F':
        return composed("%Y-%m-%d");
      case 'v':
        return composed("%e-%^b-%4Y");
      case 'R':
        return composed("%H:%M");
      case 'r':
        return composed("%I:%M:%S %p");
      case 'T':
      case 'X':
        return composed("%H:%M:%S");
      default:
        return false;
    }
  }

  bool number(int64_t value, char padding, int width) {
    if (style_.padding) padding = style_.padding;
    if (style_.left) {
      width = 1;
    } else if (style_.width > 0) {
      width = style_.width;
    }
    fmt::format_to(std::back_inserter(out_),
                   padding == '0' ? fmt::runtime("{:0{}}") : fmt::runtime("{:{}}"), value, width);
    return true;
  }

  bool year(int64_t value) { return number(value, '0', value >= 0 ? 4 : 5); }

  bool fraction(int width) {
    if (style_.width > 0) width = style_.width;
    std::string digits = fmt::format("{:09}", moment_.nanosecond);
    digits.resize(static_cast<size_t>(width), '0');
    out_ += digits;
    return true;
  }

  // Writes text, padded to the width.
  bool text(std::string_view what) {
    const int padding = style_.left ? 0 : style_.width - static_cast<int>(what.size());
    if (padding > 0)
      out_.append(static_cast<size_t>(padding), style_.padding ? style_.padding : ' ');
    out_ += what;
    return true;
  }

  bool name(std::string_view what) {
    std::string shown(what);
    if (style_.upper || style_.change_case) to_upper(shown);
    return text(shown);
  }

  bool half_of_day(bool lower) {
    std::string shown = moment_.hour < 12 ? "AM" : "PM";
    if (lower) make_lower(shown);
    return text(shown);
  }

  bool zone_name() {
    if (!moment_.is_utc) return true;
    std::string shown = "UTC";
    if (style_.change_case) make_lower(shown);
    return text(shown);
  }

  bool zone_offset() {
    if (style_.colons > 3) return false;
    int64_t offset = moment_.offset;
    // "-00:00" means an unknown offset from UTC.
    const bool negative = offset < 0 || (moment_.is_utc && style_.left);
    if (offset < 0) offset = -offset;
    int64_t hours = offset / 3600;
    int64_t minutes = offset / 60 % 60;
    int64_t seconds = offset % 60;
    std::string tail;
    const bool show_minutes = style_.colons != 3 || minutes != 0 || seconds != 0;
    const bool show_seconds = style_.colons == 2 || (style_.colons == 3 && seconds != 0);
    if (show_minutes) tail += fmt::format("{}{:02}", style_.colons > 0 ? ":" : "", minutes);
    if (show_seconds) tail += fmt::format(":{:02}", seconds);
    int hour_width = std::max(2, style_.width - static_cast<int>(tail.size()) - 1);
    char sign = negative ? '-' : '+';
    if (style_.padding == ' ') {
      std::string signed_hours = fmt::format("{}{}", sign, hours);
      out_ += fmt::format("{:>{}}", signed_hours, hour_width + 1);
    } else {
      out_ += fmt::format("{}{:0{}}", sign, hours, hour_width);
    }
    out_ += tail;
    return true;
  }

  bool composed(std::string_view format) {
    std::string shown = Writer(moment_, format).run();
    if (style_.upper) to_upper(shown);
    style_.left = false;  // the flag does not remove the padding of these
    return text(shown);
  }

  const Moment& moment_;
  std::string_view format_;
  std::string out_;
  Style style_;
};

}  // namespace

std::string strftime(int64_t nanoseconds, std::string_view format, int64_t offset, bool is_utc) {
  return Writer(moment_of(nanoseconds, offset, is_utc), format).run();
}

}  // namespace bunraku
