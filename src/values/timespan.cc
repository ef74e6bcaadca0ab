#include "values/timespan.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/text/utf8.h"
#include "values/conversion_error.h"

namespace bunraku {

namespace {

constexpr uint64_t kMinute = 60ULL * kNanosecondsPerSecond;
constexpr uint64_t kHour = 60 * kMinute;
constexpr uint64_t kDay = 24 * kHour;

// The unit of a segment, from the smallest to the largest.
enum class Unit : uint8_t {
  kNanoseconds,
  kMilliseconds,
  kSeconds,
  kMinutes,
  kHours,
  kDays,
  kLiteral
};

struct Segment {
  Unit unit;
  char padding = '0';  // 0: none
  int width = -1;      // -1: not given
  bool is_total = false;
  std::string literal;

  int width_or_default() const {
    if (width >= 0) return width;
    switch (unit) {
      case Unit::kNanoseconds:
        return 9;
      case Unit::kMilliseconds:
        return 3;
      case Unit::kDays:
        return 1;
      default:
        return 2;
    }
  }
  bool is_fraction() const { return unit == Unit::kNanoseconds || unit == Unit::kMilliseconds; }
};

using Format = std::vector<Segment>;

constexpr std::string_view kDefaultFormats[] = {
    "%D-%H:%M:%S.%-N", "%H:%M:%S.%-N", "%M:%S.%-N", "%S.%-N",
    "%D-%H:%M:%S",     "%H:%M:%S",     "%D-%H:%M",  "%S"};

// The limit of widths, against exhaustion of memory.
constexpr int kWidest = 1 << 16;

[[noreturn]] void fail_format(std::string_view format, size_t start, size_t at, size_t position) {
  fail_conversion(Issue::kInvalidFormat,
                  {fmt::format("Bad format specifier '{}' in '{}', at position {}",
                               format.substr(start, at - start), format, position)});
}

Unit unit_of(char32_t letter) {
  switch (letter) {
    case 'D':
      return Unit::kDays;
    case 'H':
      return Unit::kHours;
    case 'M':
      return Unit::kMinutes;
    case 'S':
      return Unit::kSeconds;
    case 'L':
      return Unit::kMilliseconds;
    case 'N':
      return Unit::kNanoseconds;
    default:
      return Unit::kLiteral;
  }
}

void append_literal(Format& format, std::string_view text) {
  if (format.empty() || format.back().unit != Unit::kLiteral) {
    format.push_back({.unit = Unit::kLiteral, .literal = {}});
  }
  format.back().literal += text;
}

// The first segment of the largest unit shows the total, not the remainder of a larger unit.
void mark_total(Format& format) {
  Segment* largest = nullptr;
  for (Segment& segment : format) {
    if (segment.unit == Unit::kLiteral) continue;
    if (!largest || segment.unit > largest->unit) largest = &segment;
  }
  if (largest) largest->is_total = true;
}

Format parse_format(std::string_view text) {
  enum class State : uint8_t { kLiteral, kPadding, kWidth };
  Format format;
  State state = State::kLiteral;
  Segment segment{.unit = Unit::kLiteral, .literal = {}};
  size_t start = 0;
  size_t position = 0;
  size_t begin = 0;
  for (size_t at = 0; at < text.size(); position++) {
    begin = at;
    const char32_t c = next_character(text, at);
    if (state == State::kLiteral) {
      if (c == '%') {
        state = State::kPadding;
        start = begin;
        segment = {.unit = Unit::kLiteral, .literal = {}};
      } else {
        append_literal(format, text.substr(begin, at - begin));
      }
      continue;
    }
    if (c == '%') {
      append_literal(format, "%");
      state = State::kLiteral;
    } else if (c == '-' || c == '_') {
      if (state != State::kPadding) fail_format(text, start, begin, position);
      segment.padding = c == '-' ? 0 : ' ';
      state = State::kWidth;
    } else if (const Unit unit = unit_of(c); unit != Unit::kLiteral) {
      segment.unit = unit;
      format.push_back(segment);
      state = State::kLiteral;
    } else if (c >= '0' && c <= '9') {
      if (state == State::kPadding && c == '0') {
        segment.padding = '0';
      } else {
        segment.width = (segment.width < 0 ? 0 : segment.width * 10) + static_cast<int>(c - '0');
        if (segment.width > kWidest) fail_format(text, start, begin, position);
      }
      state = State::kWidth;
    } else {
      fail_format(text, start, begin, position);
    }
  }
  if (state != State::kLiteral) fail_format(text, start, begin, position - 1);
  mark_total(format);
  return format;
}

uint64_t magnitude_of(int64_t nanoseconds) {
  return nanoseconds < 0 ? ~static_cast<uint64_t>(nanoseconds) + 1
                         : static_cast<uint64_t>(nanoseconds);
}

uint64_t power_of_ten(int exponent) {
  uint64_t result = 1;
  while (exponent-- > 0) result *= 10;
  return result;
}

uint64_t number_shown(const Segment& segment, uint64_t total) {
  auto part = [&](uint64_t unit, uint64_t modulus) {
    return segment.is_total ? total / unit : total / unit % modulus;
  };
  switch (segment.unit) {
    case Unit::kDays:
      return total / kDay;
    case Unit::kHours:
      return part(kHour, 24);
    case Unit::kMinutes:
      return part(kMinute, 60);
    case Unit::kSeconds:
      return part(kNanosecondsPerSecond, 60);
    case Unit::kMilliseconds:
      return part(1'000'000, 1000);
    case Unit::kNanoseconds: {
      const int width = segment.width_or_default();
      if (width >= 9) return part(1, kNanosecondsPerSecond);
      return part(power_of_ten(9 - width), power_of_ten(width));
    }
    case Unit::kLiteral:
      break;
  }
  return 0;
}

void append_number(std::string& out, const Segment& segment, uint64_t number) {
  // The trailing zeros of a fraction are dropped, and it is left-aligned.
  if (segment.is_fraction() && !segment.is_total && segment.padding != '0') {
    while (number != 0 && number % 10 == 0) number /= 10;
  }
  int width = segment.width_or_default();
  if (segment.padding == 0) {
    out += std::to_string(number);
  } else if (segment.is_fraction()) {
    fmt::format_to(std::back_inserter(out), "{:<{}}", number, width);
  } else if (segment.padding == ' ') {
    fmt::format_to(std::back_inserter(out), "{:{}}", number, width);
  } else {
    fmt::format_to(std::back_inserter(out), "{:0{}}", number, width);
  }
}

std::string format_with(int64_t nanoseconds, const Format& format) {
  std::string out = nanoseconds < 0 ? "-" : "";
  const uint64_t total = magnitude_of(nanoseconds);
  for (const Segment& segment : format) {
    if (segment.unit == Unit::kLiteral) {
      out += segment.literal;
    } else {
      append_number(out, segment, number_shown(segment, total));
    }
  }
  return out;
}

// --- parsing ------------------------------------------------------------------------------------

// The number and kind of characters of a segment.
struct Extent {
  size_t least;
  size_t most;
  bool blanks;          // blanks are allowed among the digits
  bool leading_blanks;  // any number of blanks is allowed before them
};

constexpr size_t kNoLimit = 1 << 20;

Extent extent_of(const Segment& segment) {
  auto default_width = static_cast<size_t>(segment.width_or_default());
  if (segment.width < 0) {
    if (segment.padding == ' ') {
      if (segment.is_total) return {1, kNoLimit, false, true};
      return {1, default_width, true, false};
    }
    return {1, segment.is_total ? kNoLimit : default_width, false, false};
  }
  if (segment.padding == 0) return {1, default_width, false, false};
  return {default_width, default_width, segment.padding == ' ', false};
}

bool is_blank_byte(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}
bool is_digit_byte(char c) {
  return c >= '0' && c <= '9';
}

// Matches the segments with a text as a regular expression would, longest first, with full
// backtracking.
class Matcher {
 public:
  Matcher(const Format& format, std::string_view text) : format_(format), text_(text) {}

  bool match() {
    groups_.assign(format_.size(), {});
    if (!text_.empty() && text_[0] == '-' && match_from(0, 1)) return true;
    return match_from(0, 0);
  }
  std::string_view group(size_t segment) const { return groups_[segment]; }

 private:
  bool match_from(size_t segment, size_t at) {
    // Formats are user input: the limit of steps bounds the worst case of backtracking.
    if (++steps_ > kMostSteps) return false;
    if (segment == format_.size()) return at == text_.size();
    const Segment& what = format_[segment];
    if (what.unit == Unit::kLiteral) {
      return text_.substr(at).starts_with(what.literal) &&
             match_from(segment + 1, at + what.literal.size());
    }
    const Extent extent = extent_of(what);
    if (extent.leading_blanks) {
      while (at < text_.size() && is_blank_byte(text_[at])) at++;
    }
    size_t count = 0;
    while (
        count < extent.most && at + count < text_.size() &&
        (is_digit_byte(text_[at + count]) || (extent.blanks && is_blank_byte(text_[at + count])))) {
      count++;
    }
    for (; count >= extent.least; count--) {
      groups_[segment] = text_.substr(at, count);
      if (match_from(segment + 1, at + count)) return true;
      if (count == 0) break;
    }
    return false;
  }

  static constexpr int kMostSteps = 100'000;
  const Format& format_;
  std::string_view text_;
  std::vector<std::string_view> groups_;
  int steps_ = 0;
};

uint64_t unit_size(const Segment& segment) {
  switch (segment.unit) {
    case Unit::kDays:
      return kDay;
    case Unit::kHours:
      return kHour;
    case Unit::kMinutes:
      return kMinute;
    default:
      return kNanosecondsPerSecond;
  }
}

[[noreturn]] void fail_range() {
  fail_conversion(Issue::kTimeOutOfRange,
                  {"A Timespan longer than 292 years is not supported yet"});
}

int64_t product(int64_t a, int64_t b) {
  int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) fail_range();
  return result;
}

int64_t sum(int64_t a, int64_t b) {
  int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) fail_range();
  return result;
}

// Converts digits to nanoseconds; nothing when there are blanks between them.
std::optional<int64_t> nanoseconds_of(const Segment& segment, std::string_view digits) {
  while (!digits.empty() && is_blank_byte(digits.front())) digits.remove_prefix(1);
  if (digits.empty() || !std::ranges::all_of(digits, is_digit_byte)) {
    return std::nullopt;
  }
  if (segment.is_fraction() && segment.is_total) {
    fail_conversion(
        Issue::kInvalidFormat,
        {"Format specifiers %L and %N denotes fractions and must be used together with a specifier "
         "of "
         "higher magnitude"});
  }
  int64_t number = 0;
  for (const char digit : digits) number = sum(product(number, 10), digit - '0');
  if (segment.is_fraction()) {
    const int missing = 9 - static_cast<int>(digits.size());
    return missing > 0 ? product(number, static_cast<int64_t>(power_of_ten(missing))) : number;
  }
  return product(number, static_cast<int64_t>(unit_size(segment)));
}

std::optional<int64_t> parse_with(std::string_view text, const Format& format) {
  Matcher matcher(format, text);
  if (!matcher.match()) return std::nullopt;
  int64_t total = 0;
  for (size_t i = 0; i < format.size(); i++) {
    if (format[i].unit == Unit::kLiteral) continue;
    auto part = nanoseconds_of(format[i], matcher.group(i));
    if (!part) return std::nullopt;
    total = sum(total, *part);
  }
  return text.starts_with('-') ? -total : total;
}

}  // namespace

std::string timespan_text(int64_t nanoseconds) {
  static const Format format = parse_format(kDefaultFormats[0]);
  return format_with(nanoseconds, format);
}

std::string format_timespan(int64_t nanoseconds, std::string_view format) {
  return format_with(nanoseconds, parse_format(format));
}

int64_t parse_timespan(std::string_view text, std::string_view format) {
  if (auto result = parse_with(text, parse_format(format))) return *result;
  fail_conversion(Issue::kInvalidTime,
                  {fmt::format("Unable to parse '{}' using format '{}'", text, format)});
}

int64_t parse_timespan(std::string_view text, std::span<const std::string_view> formats) {
  for (const std::string_view format : formats) {
    Format parsed = parse_format(format);
    const bool only_fraction = std::ranges::any_of(
        parsed, [](const Segment& segment) { return segment.is_total && segment.is_fraction(); });
    // A format that cannot be used for parsing does not end the search.
    if (only_fraction) continue;
    if (auto result = parse_with(text, parsed)) return *result;
  }
  fail_conversion(Issue::kInvalidTime,
                  {fmt::format("Unable to parse '{}' using any of the formats {}", text,
                               fmt::join(formats, ", "))});
}

int64_t parse_timespan(std::string_view text) {
  return parse_timespan(text, kDefaultFormats);
}

}  // namespace bunraku
