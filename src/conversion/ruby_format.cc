#include "conversion/ruby_format.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <limits>

#include "base/text/ruby_text.h"
#include "base/text/utf8.h"
#include "conversion/ruby_rounding.h"
#include "types/ruby_value_text.h"
#include "values/conversion_error.h"
#include "values/ruby_number.h"
#include "values/time_arithmetic.h"
#include "values/timespan.h"

namespace bunraku {

namespace {

// The limit of widths, against exhaustion of memory.
constexpr int kWidest = 1 << 26;

constexpr unsigned kSharp = 1, kMinus = 2, kPlus = 4, kZero = 8, kSpace = 16, kWidth = 32,
                   kPrecision = 64, kPrecisionSeen = 128;

struct Conversion {
  unsigned flags = 0;
  int width = -1;
  int precision = -1;

  bool has(unsigned flag) const { return (flags & flag) != 0; }
};

[[noreturn]] void fail_conversion_to(Value value, std::string_view type) {
  fail_conversion(Issue::kNotConvertible,
                  {fmt::format("can't convert {} into {}", ruby_noun(value), type)});
}

BigInteger integer_of(double value) {
  if (std::isnan(value)) fail_conversion(Issue::kNotFinite, {"NaN"});
  if (std::isinf(value)) fail_conversion(Issue::kNotFinite, {value < 0 ? "-Infinity" : "Infinity"});
  return BigInteger::truncated(value);
}

// Converts a number to a C int.
int to_int(Value value) {
  if (value.is_float()) {
    const double number = value.as_float();
    if (!(std::fabs(number) < 9.2e18)) {
      char shown[40];
      std::snprintf(shown, sizeof shown, "%-.10g", number);
      fail_conversion(Issue::kNoImplicitConversion,
                      {fmt::format("float {} out of range of integer", shown)});
    }
    value = Value::integer(static_cast<int64_t>(number));
  }
  if (is_time(value)) value = Value::integer(whole_seconds_of(value));
  if (value.is_undef())
    fail_conversion(Issue::kNoImplicitConversion, {"no implicit conversion from nil to integer"});
  if (!value.is_integer()) {
    fail_conversion(Issue::kNoImplicitConversion,
                    {fmt::format("no implicit conversion of {} into Integer", ruby_noun(value))});
  }
  int64_t number = value.as_integer();
  if (number > std::numeric_limits<int>::max()) {
    fail_conversion(Issue::kNoImplicitConversion,
                    {fmt::format("integer {} too big to convert to `int'", number)});
  }
  if (number < std::numeric_limits<int>::min()) {
    fail_conversion(Issue::kNoImplicitConversion,
                    {fmt::format("integer {} too small to convert to `int'", number)});
  }
  return static_cast<int>(number);
}

// Converts a value for %d and related directives.
BigInteger to_integer(Value value) {
  switch (value.kind()) {
    case ValueKind::kInteger:
      return BigInteger(value.as_integer());
    case ValueKind::kFloat:
      return integer_of(value.as_float());
    case ValueKind::kString: {
      if (auto result = ruby_integer(value.as_string())) return *result;
      fail_conversion(Issue::kNotConvertible,
                      {"invalid value for Integer(): " + ruby_inspect(value)});
    }
    case ValueKind::kTimespan:
    case ValueKind::kTimestamp:
      return BigInteger(whole_seconds_of(value));
    default:
      fail_conversion_to(value, "Integer");
  }
}

// Converts a value for %f and related directives.
double to_float(Value value) {
  switch (value.kind()) {
    case ValueKind::kInteger:
      return static_cast<double>(value.as_integer());
    case ValueKind::kFloat:
      return value.as_float();
    case ValueKind::kString: {
      if (auto result = ruby_float(value.as_string())) return *result;
      fail_conversion(Issue::kNotConvertible, {invalid_float_message(value.as_string())});
    }
    case ValueKind::kTimespan:
    case ValueKind::kTimestamp:
      return seconds_of(value);
    default:
      fail_conversion_to(value, "Float");
  }
}

void fill(std::string& out, char with, int count) {
  if (count > 0) out.append(static_cast<size_t>(count), with);
}

// Appends text in a field, cut to the precision.
void append_text(std::string& out, std::string_view text, const Conversion& conversion) {
  if (conversion.has(kPrecision)) {
    text = text.substr(0, offset_of_character(text, static_cast<size_t>(conversion.precision)));
  }
  const int padding =
      conversion.has(kWidth) ? conversion.width - static_cast<int>(character_count(text)) : 0;
  if (!conversion.has(kMinus)) fill(out, ' ', padding);
  out += text;
  if (conversion.has(kMinus)) fill(out, ' ', padding);
}

unsigned base_of(char letter) {
  switch (letter) {
    case 'x':
    case 'X':
      return 16;
    case 'o':
      return 8;
    case 'b':
    case 'B':
      return 2;
    default:
      return 10;
  }
}

std::string_view prefix_of(char letter) {
  switch (letter) {
    case 'x':
      return "0x";
    case 'X':
      return "0X";
    case 'o':
      return "0";
    case 'b':
      return "0b";
    case 'B':
      return "0B";
    default:
      return "";
  }
}

// The digits of a negative number's two's complement, in which the highest digit repeats without
// end to the left; it is shown once.
std::string complement_digits(const BigInteger& value, unsigned base) {
  BigInteger magnitude = value;
  magnitude.negate();
  std::string digits = magnitude.digits(base);
  const char* names = "0123456789abcdef";
  auto number = [](char digit) -> unsigned {
    return digit <= '9' ? digit - '0' : digit - 'a' + 10;
  };
  unsigned carry = 1;
  for (size_t i = digits.size(); i-- > 0;) {
    const unsigned inverted = base - 1 - number(digits[i]) + carry;
    carry = inverted / base;
    digits[i] = names[inverted % base];
  }
  const char highest = names[base - 1];
  size_t start = 0;
  while (start < digits.size() && digits[start] == highest) start++;
  return highest + digits.substr(start);
}

void append_integer(std::string& out, const BigInteger& value, char letter, Conversion conversion) {
  const unsigned base = base_of(letter);
  const bool is_signed = base == 10 || conversion.has(kPlus | kSpace);
  std::string_view prefix = conversion.has(kSharp) ? prefix_of(letter) : "";
  const bool dots = !is_signed && value.negative();
  std::string digits = dots ? complement_digits(value, base) : value.digits(base);
  char sign = 0;
  if (is_signed) {
    sign = value.negative() ? '-' : conversion.has(kPlus) ? '+' : conversion.has(kSpace) ? ' ' : 0;
  }
  int width = conversion.width - (sign ? 1 : 0);
  int precision = conversion.precision;
  if (dots) {
    precision -= 2;
    width -= 2;
  }
  if (letter == 'X') {
    for (char& digit : digits) digit = digit >= 'a' ? static_cast<char>(digit - 'a' + 'A') : digit;
  }
  int length = static_cast<int>(digits.size());
  const bool is_zero = length == 1 && digits[0] == '0';
  if (prefix == "0") {
    if (dots) {
      prefix = "";
    } else if (is_zero) {
      length = 0;
      if (conversion.has(kPrecision)) precision--;
    } else if (conversion.has(kPrecision) && precision > length) {
      prefix = "";
    }
  } else if (is_zero) {
    prefix = "";
  }
  width -= static_cast<int>(prefix.size());
  if ((conversion.flags & (kZero | kMinus | kPrecision)) == kZero) {
    precision = width;
    width = 0;
  } else {
    if (precision < length) {
      if (prefix.empty() && precision == 0 && is_zero) length = 0;
      precision = length;
    }
    width -= precision;
  }
  if (!conversion.has(kMinus)) fill(out, ' ', width);
  if (sign) out += sign;
  out += prefix;
  if (dots) out += "..";
  if (precision > length) fill(out, dots ? digits[0] : '0', precision - length);
  out.append(digits, 0, static_cast<size_t>(length));
  if (conversion.has(kMinus)) fill(out, ' ', width);
}

// %f of an integer is exact for any size.
void append_integer_as_fixed(std::string& out, int64_t value, const Conversion& conversion) {
  const char sign = value < 0                ? '-'
                    : conversion.has(kPlus)  ? '+'
                    : conversion.has(kSpace) ? ' '
                                             : 0;
  const BigInteger magnitude(value);
  std::string text = magnitude.digits(10);
  const int precision = conversion.has(kPrecision) ? conversion.precision : 6;
  if (precision > 0) {
    text += '.';
    fill(text, '0', precision);
  }
  const int padding = conversion.width - static_cast<int>(text.size()) - (sign ? 1 : 0);
  const bool zeroes = conversion.has(kZero) && !conversion.has(kMinus);
  if (!zeroes && !conversion.has(kMinus)) fill(out, ' ', padding);
  if (sign) out += sign;
  if (zeroes) fill(out, '0', padding);
  out += text;
  if (conversion.has(kMinus)) fill(out, ' ', padding);
}

void append_not_finite(std::string& out, double value, const Conversion& conversion) {
  std::string text;
  if (!std::isnan(value) && value < 0) {
    text = "-";
  } else if (conversion.has(kPlus | kSpace)) {
    text = conversion.has(kPlus) ? "+" : " ";
  }
  text += std::isnan(value) ? "NaN" : "Inf";
  Conversion field = conversion;
  field.flags &= ~kPrecision;
  append_text(out, text, field);
}

std::string print_float(const std::string& format, double value) {
  std::string text(64, '\0');
  auto length = static_cast<size_t>(std::snprintf(text.data(), text.size(), format.c_str(), value));
  if (length >= text.size()) {
    text.resize(length + 1);
    std::snprintf(text.data(), text.size(), format.c_str(), value);
  }
  text.resize(length);
  return text;
}

// The precision of %g counts significant digits. With #, the C library loses trailing zeros when
// rounding makes the number longer, so the choice between %e and %f is made here.
std::string print_general_with_zeroes(const Conversion& conversion, char letter, double value) {
  const int digits = conversion.has(kPrecision) ? std::max(conversion.precision, 1) : 6;
  const std::string scientific = print_float(fmt::format("%#.{}e", digits - 1), value);
  const int exponent = std::atoi(scientific.c_str() + scientific.rfind('e') + 1);
  std::string text = exponent >= -4 && exponent < digits
                         ? print_float(fmt::format("%#.{}f", digits - 1 - exponent), value)
                         : scientific;
  if (letter == 'G') {
    for (char& c : text) c = c == 'e' ? 'E' : c;
  }
  return text;
}

// Puts a signed number's text into a field, with zeros possible between sign and digits.
void append_signed(std::string& out, std::string text, const Conversion& conversion) {
  std::string sign;
  if (text[0] == '-') {
    sign = "-";
    text.erase(0, 1);
  } else if (conversion.has(kPlus | kSpace)) {
    sign = conversion.has(kPlus) ? "+" : " ";
  }
  const int padding = conversion.width - static_cast<int>(text.size() + sign.size());
  const bool zeroes = conversion.has(kZero) && !conversion.has(kMinus);
  if (!zeroes && !conversion.has(kMinus)) fill(out, ' ', padding);
  out += sign;
  if (zeroes && text.starts_with("0x")) {
    out += "0x";
    text.erase(0, 2);
  } else if (zeroes && text.starts_with("0X")) {
    out += "0X";
    text.erase(0, 2);
  }
  if (zeroes) fill(out, '0', padding);
  out += text;
  if (conversion.has(kMinus)) fill(out, ' ', padding);
}

// %a as in Ruby: the digit before the point is always 1, whereas the C library rounds up to 2 and
// keeps the exponent -1022 for subnormal numbers.
std::string print_hexadecimal(const Conversion& conversion, char letter, double value) {
  constexpr int kScale = 200;
  const int scale = value != 0 && !std::isnormal(value) ? kScale : 0;
  std::string format = conversion.has(kSharp) ? "%#" : "%";
  if (conversion.has(kPrecision)) format += fmt::format(".{}", conversion.precision);
  std::string text = print_float(format + letter, std::ldexp(value, scale));
  const size_t power = text.rfind(letter == 'a' ? 'p' : 'P');
  int exponent = std::atoi(text.c_str() + power + 1) - scale;
  const size_t first = text[0] == '-' ? 3 : 2;
  if (text[first] == '2') {
    text[first] = '1';
    exponent++;
  }
  return text.substr(0, power + 1) + fmt::format("{:+}", exponent);
}

constexpr int kUsualPrecision = 6;

void append_float(std::string& out, double value, char letter, const Conversion& conversion) {
  if (!std::isfinite(value)) return append_not_finite(out, value, conversion);
  if (letter == 'a' || letter == 'A') {
    return append_signed(out, print_hexadecimal(conversion, letter, value), conversion);
  }
  value = rounded_as_in_ruby(value, letter,
                             conversion.has(kPrecision) ? conversion.precision : kUsualPrecision);
  if ((letter == 'g' || letter == 'G') && conversion.has(kSharp)) {
    return append_signed(out, print_general_with_zeroes(conversion, letter, value), conversion);
  }
  std::string format = "%";
  if (conversion.has(kSharp)) format += '#';
  if (conversion.has(kPlus)) format += '+';
  if (conversion.has(kMinus)) format += '-';
  if (conversion.has(kZero)) format += '0';
  if (conversion.has(kSpace)) format += ' ';
  if (conversion.has(kWidth)) format += std::to_string(conversion.width);
  if (conversion.has(kPrecision)) format += '.' + std::to_string(conversion.precision);
  out += print_float(format + letter, value);
}

// One pass over a format string.
class Formatter {
 public:
  Formatter(std::string_view format, std::span<const Value> arguments)
      : format_(format), arguments_(arguments) {}

  std::string run() {
    while (at_ < format_.size()) {
      size_t percent = format_.find('%', at_);
      if (percent == std::string_view::npos) percent = format_.size();
      out_ += format_.substr(at_, percent - at_);
      if (percent == format_.size()) break;
      if (percent + 1 == format_.size()) {
        fail_conversion(Issue::kInvalidFormat,
                        {"incomplete format specifier; use %% (double %) instead"});
      }
      at_ = percent + 1;
      directive();
    }
    return std::move(out_);
  }

 private:
  enum class Way : uint8_t { kNone, kUnnumbered, kNumbered, kNamed };

  // The end of the format is read as a NUL, as in Ruby.
  char peek() const { return at_ < format_.size() ? format_[at_] : '\0'; }

  void directive() {
    conversion_ = {};
    has_value_ = false;
    name_ = {};
    while (!step()) {
    }
  }

  // Reads a part of a directive; returns true when it was the last.
  bool step() {
    const char c = peek();
    switch (c) {
      case ' ':
        return flag(kSpace);
      case '#':
        return flag(kSharp);
      case '+':
        return flag(kPlus);
      case '-':
        return flag(kMinus);
      case '0':
        return flag(kZero);
      case '1':
      case '2':
      case '3':
      case '4':
      case '5':
      case '6':
      case '7':
      case '8':
      case '9':
        return width_or_position();
      case '<':
      case '{':
        return named(c);
      case '*':
        return starred_width();
      case '.':
        return precision();
      case '\n':
      case '\0':
      case '%':
        return percent(c);
      case 'c':
        append_character();
        break;
      case 's':
      case 'p':
        append_string(next_value(), c);
        break;
      case 'd':
      case 'i':
      case 'o':
      case 'x':
      case 'X':
      case 'b':
      case 'B':
      case 'u':
        append_integer(out_, to_integer(next_value()), c, conversion_);
        break;
      case 'f':
        append_fixed(next_value());
        break;
      case 'g':
      case 'G':
      case 'e':
      case 'E':
      case 'a':
      case 'A':
        append_float(out_, to_float(next_value()), c, conversion_);
        break;
      default:
        malformed();
    }
    at_++;
    return true;
  }

  [[noreturn]] void malformed() {
    size_t at = at_;
    const char32_t c = next_character(format_, at);
    if (c < 0x20 || c == 0x7f || c == kInvalidCharacter)
      fail_conversion(Issue::kInvalidFormat, {"malformed format string"});
    fail_conversion(Issue::kInvalidFormat,
                    {fmt::format("malformed format string - %{}", format_.substr(at_, at - at_))});
  }

  bool flag(unsigned flag) {
    if (conversion_.has(kWidth)) fail_conversion(Issue::kInvalidFormat, {"flag after width"});
    if (conversion_.has(kPrecisionSeen))
      fail_conversion(Issue::kInvalidFormat, {"flag after precision"});
    conversion_.flags |= flag;
    at_++;
    return false;
  }

  void check_width() {
    if (conversion_.has(kWidth)) fail_conversion(Issue::kInvalidFormat, {"width given twice"});
    if (conversion_.has(kPrecisionSeen))
      fail_conversion(Issue::kInvalidFormat, {"width after precision"});
  }

  int number(std::string_view what) {
    int64_t result = 0;
    while (peek() >= '0' && peek() <= '9') {
      result = result * 10 + (peek() - '0');
      if (result > std::numeric_limits<int>::max())
        fail_conversion(Issue::kInvalidFormat, {fmt::format("{} too big", what)});
      at_++;
    }
    if (at_ >= format_.size())
      fail_conversion(Issue::kInvalidFormat, {"malformed format string - %*[0-9]"});
    return static_cast<int>(result);
  }

  int bounded(int number, std::string_view what) {
    if (number > kWidest) fail_conversion(Issue::kInvalidFormat, {fmt::format("{} too big", what)});
    return number;
  }

  bool width_or_position() {
    int count = number("width");
    if (peek() == '$') {
      if (has_value_)
        fail_conversion(Issue::kInvalidFormat, {fmt::format("value given twice - {}$", count)});
      value_ = numbered_value(count);
      has_value_ = true;
      at_++;
      return false;
    }
    check_width();
    conversion_.width = bounded(count, "width");
    conversion_.flags |= kWidth;
    return false;
  }

  int starred(std::string_view what) {
    const size_t star = at_++;
    Value value;
    const int count = number(what);
    if (peek() == '$') {
      value = numbered_value(count);
    } else {
      value = unnumbered_value();
      at_ = star;
    }
    const int result = to_int(value);
    if (result > kWidest || result < -kWidest)
      fail_conversion(Issue::kInvalidFormat, {fmt::format("{} too big", what)});
    at_++;
    return result;
  }

  bool starred_width() {
    check_width();
    conversion_.flags |= kWidth;
    conversion_.width = starred("width");
    if (conversion_.width < 0) {
      conversion_.flags |= kMinus;
      conversion_.width = -conversion_.width;
    }
    return false;
  }

  bool precision() {
    if (conversion_.has(kPrecisionSeen))
      fail_conversion(Issue::kInvalidFormat, {"precision given twice"});
    conversion_.flags |= kPrecision | kPrecisionSeen;
    at_++;
    if (peek() == '*') {
      conversion_.precision = starred("precision");
      if (conversion_.precision < 0) conversion_.flags &= ~kPrecision;
      return false;
    }
    conversion_.precision = bounded(number("precision"), "precision");
    return false;
  }

  bool named(char open) {
    const char close = open == '<' ? '>' : '}';
    const size_t end = format_.find(close, at_);
    if (end == std::string_view::npos)
      fail_conversion(Issue::kInvalidFormat, {"malformed name - unmatched parenthesis"});
    std::string_view whole = format_.substr(at_, end - at_ + 1);
    const std::string_view name = whole.substr(1, whole.size() - 2);
    if (name_.data())
      fail_conversion(Issue::kInvalidFormat, {fmt::format("named{} after <{}>", whole, name_)});
    if (way_ == Way::kUnnumbered) {
      fail_conversion(Issue::kInvalidFormat,
                      {fmt::format("named{} after unnumbered({})", whole, last_)});
    }
    if (way_ == Way::kNumbered)
      fail_conversion(Issue::kInvalidFormat, {fmt::format("named{} after numbered", whole)});
    way_ = Way::kNamed;
    if (arguments_.size() != 1 || !arguments_[0].is_hash())
      fail_conversion(Issue::kInvalidFormat, {"one hash required"});
    const Value* found = arguments_[0].as_hash().find(name);
    if (!found) fail_conversion(Issue::kInvalidFormat, {fmt::format("key{} not found", whole)});
    name_ = name.data() ? name : std::string_view("");
    value_ = *found;
    has_value_ = true;
    at_ = end + 1;
    if (open == '<') return false;
    append_string(value_, 's');
    return true;
  }

  bool percent(char c) {
    if (conversion_.flags != 0)
      fail_conversion(Issue::kInvalidFormat, {"invalid format character - %"});
    out_ += '%';
    if (c == '%') at_++;
    return true;
  }

  Value unnumbered_value() {
    if (way_ == Way::kNumbered) {
      fail_conversion(Issue::kInvalidFormat,
                      {fmt::format("unnumbered({}) mixed with numbered", next_)});
    }
    if (way_ == Way::kNamed)
      fail_conversion(Issue::kInvalidFormat,
                      {fmt::format("unnumbered({}) mixed with named", next_)});
    way_ = Way::kUnnumbered;
    last_ = next_++;
    return argument(last_);
  }

  Value numbered_value(int position) {
    if (way_ == Way::kUnnumbered) {
      fail_conversion(Issue::kInvalidFormat,
                      {fmt::format("numbered({}) after unnumbered({})", position, last_)});
    }
    if (way_ == Way::kNamed)
      fail_conversion(Issue::kInvalidFormat, {fmt::format("numbered({}) after named", position)});
    if (position < 1)
      fail_conversion(Issue::kInvalidFormat, {fmt::format("invalid index - {}$", position)});
    way_ = Way::kNumbered;
    return argument(position);
  }

  Value argument(int position) const {
    if (static_cast<size_t>(position) > arguments_.size())
      fail_conversion(Issue::kInvalidFormat, {"too few arguments"});
    return arguments_[static_cast<size_t>(position) - 1];
  }

  Value next_value() { return has_value_ ? value_ : unnumbered_value(); }

  void append_character() {
    const Value value = next_value();
    std::string text;
    if (value.is_string()) {
      if (character_count(value.as_string()) != 1)
        fail_conversion(Issue::kInvalidFormat, {"%c requires a character"});
      text = value.as_string();
    } else if (const int c = to_int(value);
               c < 0 || !bunraku::append_character(text, static_cast<char32_t>(c))) {
      fail_conversion(Issue::kInvalidFormat, {"invalid character"});
    }
    append_text(out_, text, {conversion_.flags & ~kPrecision, conversion_.width, -1});
  }

  void append_string(Value value, char letter) {
    if (letter == 's' && value.is_string())
      return append_text(out_, value.as_string(), conversion_);
    std::string text;
    if (letter == 'p') {
      append_ruby_inspect(text, value);
    } else {
      append_ruby_to_s(text, value);
    }
    append_text(out_, text, conversion_);
  }

  void append_fixed(Value value) {
    if (value.is_integer()) return append_integer_as_fixed(out_, value.as_integer(), conversion_);
    append_float(out_, to_float(value), 'f', conversion_);
  }

  std::string_view format_;
  std::span<const Value> arguments_;
  size_t at_ = 0;
  std::string out_;
  Way way_ = Way::kNone;
  int next_ = 1;  // the number of the next unnumbered argument
  int last_ = 0;
  Conversion conversion_;
  bool has_value_ = false;
  Value value_;
  std::string_view name_;
};

}  // namespace

std::string ruby_format(std::string_view format, std::span<const Value> arguments) {
  return Formatter(format, arguments).run();
}

Value ruby_sprintf(Arena& arena, std::string_view format, std::span<const Value> arguments) {
  return Value::string(arena, ruby_format(format, arguments));
}

}  // namespace bunraku
