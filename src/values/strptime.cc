#include "values/strptime.h"

#include <string>

#include "base/text/ascii.h"
#include "values/timezone.h"

namespace bunraku {

namespace {

constexpr std::string_view kMonths[] = {"january",   "february", "march",    "april",
                                        "may",       "june",     "july",     "august",
                                        "september", "october",  "november", "december"};
constexpr std::string_view kDays[] = {"sunday",   "monday", "tuesday", "wednesday",
                                      "thursday", "friday", "saturday"};

// Years with more digits are out of range anyway.
constexpr size_t kMostDigits = 17;

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::optional<TimeParts> read(std::string_view format) {
    if (!match(format) || at_ != text_.size()) return std::nullopt;
    if (century_ && parts_.year) *parts_.year += *century_ * 100;
    if (afternoon_ && parts_.hour) parts_.hour = *parts_.hour % 12 + *afternoon_;
    return parts_;
  }

 private:
  bool match(std::string_view format) {
    for (size_t i = 0; i < format.size(); i++) {
      const char c = format[i];
      if (is_white(c)) {
        skip_white();
      } else if (c != '%' || i + 1 >= format.size()) {
        if (!literal(c)) return false;
      } else {
        i = modifier_end(format, i + 1);
        if (!directive(format[i], format.substr(i + 1))) return false;
      }
    }
    return true;
  }

  // Skips E, O and colons before a letter that accepts them.
  static size_t modifier_end(std::string_view format, size_t at) {
    const char c = format[at];
    const std::string_view allowed = c == 'E' ? "cCxXyY" : c == 'O' ? "deHImMSuUVwWy" : "";
    if (!allowed.empty() && at + 1 < format.size() &&
        allowed.find(format[at + 1]) != std::string_view::npos) {
      return at + 1;
    }
    if (c == ':') {
      size_t end = at;
      while (end < format.size() && format[end] == ':' && end - at < 3) end++;
      if (end < format.size() && format[end] == 'z') return end;
    }
    return at;
  }

  bool literal(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    at_++;
    return true;
  }

  void skip_white() {
    while (at_ < text_.size() && is_white(text_[at_])) at_++;
  }

  // Returns whether a number follows in the format; then a number of open width has its usual
  // width.
  static bool number_follows(std::string_view rest) {
    if (rest.empty()) return false;
    if (is_digit(rest[0])) return true;
    if (rest[0] != '%' || rest.size() < 2) return false;
    char c = rest[1];
    if ((c == 'E' || c == 'O') && rest.size() > 2) c = rest[2];
    return is_digit(c) ||
           std::string_view("CDdeFGgHIjkLlMmNQRrSsTUuVvWwXxYy").find(c) != std::string_view::npos;
  }

  std::optional<int64_t> digits(size_t most) {
    int64_t number = 0;
    size_t count = 0;
    while (count < most && at_ < text_.size() && is_digit(text_[at_])) {
      if (++count > kMostDigits) return std::nullopt;
      number = number * 10 + (text_[at_++] - '0');
    }
    if (count == 0) return std::nullopt;
    return number;
  }

  std::optional<int64_t> within(size_t most, int64_t least, int64_t greatest) {
    auto number = digits(most);
    if (!number || *number < least || *number > greatest) return std::nullopt;
    return number;
  }

  // A number of two digits, the first of which may be blank.
  std::optional<int64_t> blank_padded(int64_t least, int64_t greatest) {
    if (at_ < text_.size() && text_[at_] == ' ') {
      at_++;
      return within(1, least, greatest);
    }
    return within(2, least, greatest);
  }

  bool sign() {
    if (at_ < text_.size() && (text_[at_] == '-' || text_[at_] == '+')) return text_[at_++] == '-';
    return false;
  }

  std::optional<int64_t> signed_digits(std::string_view rest, size_t width) {
    const bool negative = sign();
    auto number = digits(number_follows(rest) ? width : text_.size());
    if (number && negative) number = -*number;
    return number;
  }

  bool starts_with(std::string_view name) const {
    if (text_.size() - at_ < name.size()) return false;
    for (size_t i = 0; i < name.size(); i++) {
      if (to_lower(text_[at_ + i]) != name[i]) return false;
    }
    return true;
  }

  // The index of the name at this position, in full or as its first three letters; -1 when there is
  // none.
  template <size_t Count>
  int name(const std::string_view (&names)[Count]) {
    for (size_t i = 0; i < Count; i++) {
      if (!starts_with(names[i].substr(0, 3))) continue;
      at_ += starts_with(names[i]) ? names[i].size() : 3;
      return static_cast<int>(i);
    }
    return -1;
  }

  bool set(std::optional<int64_t>& part, std::optional<int64_t> value) {
    if (!value) return false;
    part = value;
    return true;
  }

  bool half_of_day() {
    if (at_ >= text_.size()) return false;
    const char first = to_lower(text_[at_]);
    if (first != 'a' && first != 'p') return false;
    const std::string plain = {first, 'm'};
    const std::string dotted = {first, '.', 'm', '.'};
    if (starts_with(plain)) {
      at_ += plain.size();
    } else if (starts_with(dotted)) {
      at_ += dotted.size();
    } else {
      return false;
    }
    afternoon_ = first == 'p' ? 12 : 0;
    return true;
  }

  // The resulting century also applies to a year of %Y, as in Ruby.
  bool two_digit_year(std::optional<int64_t>& part) {
    auto year = within(2, 0, 99);
    if (!year) return false;
    part = year;
    if (!century_) century_ = *year >= 69 ? 19 : 20;
    return true;
  }

  bool fraction(std::string_view rest, size_t width) {
    const bool negative = sign();
    const size_t most = number_follows(rest) ? width : text_.size();
    int64_t nanoseconds = 0;
    size_t count = 0;
    while (count < most && at_ < text_.size() && is_digit(text_[at_])) {
      if (count < 9) nanoseconds = nanoseconds * 10 + (text_[at_] - '0');
      count++;
      at_++;
    }
    if (count == 0) return false;
    for (; count < 9; count++) nanoseconds *= 10;
    parts_.nanosecond = negative ? -nanoseconds : nanoseconds;
    return true;
  }

  bool zone() {
    const size_t length = timezone_length(text_.substr(at_));
    if (length == 0) return false;
    parts_.zone = text_.substr(at_, length);
    at_ += length;
    return true;
  }

  bool directive(char letter, std::string_view rest) {
    switch (letter) {
      case 'A':
      case 'a':
        return name(kDays) >= 0;
      case 'B':
      case 'b':
      case 'h': {
        const int month = name(kMonths);
        return month >= 0 && set(parts_.month, month + 1);
      }
      case 'C':
        return set(century_, digits(number_follows(rest) ? 2 : text_.size()));
      case 'c':
        return match("%a %b %e %H:%M:%S %Y");
      case 'x':
      case 'D':
        return match("%m/%d/%y");
      case 'd':
      case 'e':
        return set(parts_.day, blank_padded(1, 31));
      case 'F':
        return match("%Y-%m-%d");
      case 'G':
        return signed_digits(rest, 4).has_value();
      case 'g':
        return two_digit_year(week_year_);
      case 'H':
      case 'k':
        return set(parts_.hour, blank_padded(0, 24));
      case 'I':
      case 'l':
        return set(parts_.hour, blank_padded(1, 12));
      case 'j':
        return within(3, 1, 366).has_value();
      case 'L':
        return fraction(rest, 3);
      case 'N':
        return fraction(rest, 9);
      case 'M':
        return set(parts_.minute, within(2, 0, 59));
      case 'm':
        return set(parts_.month, within(2, 1, 12));
      case 'n':
      case 't':
        skip_white();
        return true;
      case 'P':
      case 'p':
        return half_of_day();
      case 'Q':
      case 's': {
        sign();
        return digits(text_.size()).has_value();
      }
      case 'R':
        return match("%H:%M");
      case 'r':
        return match("%I:%M:%S %p");
      case 'S':
        return set(parts_.second, within(2, 0, 60));
      case 'X':
      case 'T':
        return match("%H:%M:%S");
      case 'U':
      case 'W':
        return within(2, 0, 53).has_value();
      case 'u':
        return within(1, 1, 7).has_value();
      case 'V':
        return within(2, 1, 53).has_value();
      case 'v':
        return match("%e-%b-%Y");
      case 'w':
        return within(1, 0, 6).has_value();
      case 'Y':
        return set(parts_.year, signed_digits(rest, 4));
      case 'y':
        return two_digit_year(parts_.year);
      case 'Z':
      case 'z':
        return zone();
      case '%':
        return literal('%');
      case '+':
        return match("%a %b %e %H:%M:%S %Z %Y");
      default:
        return literal('%') && literal(letter);
    }
  }

  std::string_view text_;
  size_t at_ = 0;
  TimeParts parts_;
  std::optional<int64_t> week_year_;
  std::optional<int64_t> century_;
  std::optional<int64_t> afternoon_;
};

}  // namespace

std::optional<TimeParts> strptime(std::string_view text, std::string_view format) {
  return Reader(text).read(format);
}

}  // namespace bunraku
