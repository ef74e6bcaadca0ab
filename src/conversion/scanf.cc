#include <cstdlib>
#include <optional>
#include <vector>

#include "base/text/ascii.h"
#include "base/text/big_integer.h"
#include "base/text/utf8.h"
#include "conversion/ruby_format.h"
#include "values/conversion_error.h"

namespace bunraku {

namespace {

constexpr size_t kNoLimit = static_cast<size_t>(-1);

// One item of a format: a directive, or literal text.
struct Item {
  char letter;  // 0: white space, 1: literal text
  bool is_suppressed = false;
  size_t width = kNoLimit;
  std::string_view text;  // of a literal, or between brackets
};

constexpr char kWhite = 0;
constexpr char kLiteral = 1;

class FormatReader {
 public:
  explicit FormatReader(std::string_view format) : format_(format) {}

  std::vector<Item> read() {
    std::vector<Item> items;
    while (at_ < format_.size()) {
      if (is_white(format_[at_])) {
        while (at_ < format_.size() && is_white(format_[at_])) at_++;
        items.push_back({.letter = kWhite, .text = {}});
      } else if (auto item = directive()) {
        items.push_back(*item);
      } else {
        items.push_back(literal());
      }
    }
    return items;
  }

 private:
  // Reads a directive; when there is none here, returns nothing and does not advance.
  std::optional<Item> directive() {
    size_t at = at_;
    if (format_[at++] != '%') return std::nullopt;
    Item item{.letter = kLiteral, .text = {}};
    if (at < format_.size() && format_[at] == '*') {
      item.is_suppressed = true;
      at++;
    }
    const size_t digits = at;
    while (at < format_.size() && is_digit(format_[at])) at++;
    if (at > digits) {
      item.width = static_cast<size_t>(
          std::strtoul(std::string(format_.substr(digits, at - digits)).c_str(), nullptr, 10));
    }
    if (at < format_.size() && (format_[at] == 'h' || format_[at] == 'l' || format_[at] == 'L'))
      at++;
    if (at >= format_.size()) return std::nullopt;
    item.letter = format_[at];
    if (item.letter == '[') {
      size_t end = at + 1;
      if (end < format_.size() && format_[end] == '^') end++;
      if (end < format_.size() && format_[end] == ']') end++;
      end = format_.find(']', end);
      if (end == std::string_view::npos) return std::nullopt;
      item.text = format_.substr(at + 1, end - at - 1);
      at_ = end + 1;
      return item;
    }
    if (std::string_view("diuoxXfFeEgGaAcsn").find(item.letter) == std::string_view::npos) {
      return std::nullopt;
    }
    at_ = at + 1;
    return item;
  }

  // Reads a doubled percent sign, or text up to the next one or to a blank.
  Item literal() {
    if (format_.substr(at_).starts_with("%%")) {
      at_ += 2;
      return {.letter = kLiteral, .text = "%"};
    }
    const size_t start = at_++;
    while (at_ < format_.size() && format_[at_] != '%' && !is_white(format_[at_])) at_++;
    return {.letter = kLiteral, .text = format_.substr(start, at_ - start)};
  }

  std::string_view format_;
  size_t at_ = 0;
};

// Returns whether the character is in a set written as between brackets: abc, a-z, ^...
bool is_in_set(char32_t c, std::string_view set) {
  size_t at = 0;
  const bool negated = !set.empty() && set[0] == '^';
  if (negated) at++;
  while (at < set.size()) {
    const char32_t low = next_character(set, at);
    char32_t high = low;
    if (at + 1 < set.size() && set[at] == '-') {
      at++;
      high = next_character(set, at);
    }
    if (c >= low && c <= high) return !negated;
  }
  return negated;
}

class Scanner {
 public:
  Scanner(Arena& arena, std::string_view text) : values_(arena), arena_(arena), text_(text) {}

  Value scan(const std::vector<Item>& items) {
    for (const Item& item : items) {
      if (!step(item)) break;
    }
    return values_.finish();
  }

 private:
  bool step(const Item& item) {
    switch (item.letter) {
      case kWhite:
        skip_white();
        return true;
      case kLiteral:
        if (!rest().starts_with(item.text)) return false;
        at_ += item.text.size();
        return true;
      case 'n':
        return keep(item,
                    Value::integer(static_cast<int64_t>(character_count(text_.substr(0, at_)))));
      case 'd':
      case 'u':
        return integer(item, 10);
      case 'o':
        return integer(item, 8);
      case 'x':
      case 'X':
        return integer(item, 16);
      case 'i':
        return integer(item, 0);
      case 'c':
        return characters(item);
      case 's':
        return string(item);
      case '[':
        return set(item);
      default:
        return floating(item);
    }
  }

  std::string_view rest() const { return text_.substr(at_); }
  void skip_white() {
    while (at_ < text_.size() && is_white(text_[at_])) at_++;
  }

  bool keep(const Item& item, Value value) {
    if (!item.is_suppressed) values_.push(value);
    return true;
  }

  bool integer(const Item& item, int base) {
    skip_white();
    const std::string_view field = rest().substr(0, item.width);
    size_t at = 0;
    bool negative = false;
    if (at < field.size() && (field[at] == '-' || field[at] == '+')) negative = field[at++] == '-';
    const bool has_hex_prefix = at + 2 < field.size() && field[at] == '0' &&
                                (field[at + 1] == 'x' || field[at + 1] == 'X') &&
                                is_hex_digit(field[at + 2]);
    if (base == 16 || base == 0) {
      if (has_hex_prefix) {
        at += 2;
        base = 16;
      } else if (base == 0) {
        base = at < field.size() && field[at] == '0' ? 8 : 10;
      }
    }
    const size_t start = at;
    while (at < field.size() && is_digit_of(field[at], base)) at++;
    if (at == start) return false;
    BigInteger number =
        BigInteger::from_digits(field.substr(start, at - start), static_cast<unsigned>(base));
    if (negative) number.negate();
    if (!number.fits_int64()) {
      fail_conversion(Issue::kNumberOutOfRange,
                      {"The number " + number.text() + " is beyond 64 bits"});
    }
    at_ += at;
    return keep(item, Value::integer(number.to_int64()));
  }

  static bool is_digit_of(char c, int base) {
    if (base == 16) return is_hex_digit(c);
    return c >= '0' && c < '0' + base;
  }

  // [-+]digits[.digits][e[-+]digits], at least one digit.
  bool floating(const Item& item) {
    skip_white();
    std::string_view field = rest().substr(0, item.width);
    size_t at = 0;
    auto digits = [&] {
      const size_t start = at;
      while (at < field.size() && is_digit(field[at])) at++;
      return at - start;
    };
    if (at < field.size() && (field[at] == '-' || field[at] == '+')) at++;
    size_t count = digits();
    if (at < field.size() && field[at] == '.') {
      const size_t point = at++;
      const size_t fraction = digits();
      if (fraction == 0 && count == 0) return false;
      if (fraction == 0) at = point;
      count += fraction;
    }
    if (count == 0) return false;
    if (at < field.size() && (field[at] == 'e' || field[at] == 'E')) {
      const size_t before = at++;
      if (at < field.size() && (field[at] == '-' || field[at] == '+')) at++;
      if (digits() == 0) at = before;
    }
    const double number = std::strtod(std::string(field.substr(0, at)).c_str(), nullptr);
    at_ += at;
    return keep(item, Value::floating(number));
  }

  // %c matches blanks too, and skips none.
  bool characters(const Item& item) {
    if (at_ >= text_.size()) return false;
    const size_t count = item.width == kNoLimit ? 1 : item.width;
    const size_t end = at_ + offset_of_character(rest(), count);
    const std::string_view taken = text_.substr(at_, end - at_);
    at_ = end;
    return keep(item, Value::string(arena_, taken));
  }

  template <typename Accepts>
  bool run(const Item& item, Accepts accepts) {
    size_t end = at_;
    for (size_t count = 0; end < text_.size() && count < item.width; count++) {
      size_t next = end;
      const char32_t c = next_character(text_, next);
      if (!accepts(c)) break;
      end = next;
    }
    if (end == at_) return false;
    const std::string_view taken = text_.substr(at_, end - at_);
    at_ = end;
    return keep(item, Value::string(arena_, taken));
  }

  bool string(const Item& item) {
    skip_white();
    return run(item, [](char32_t c) { return c > 0x7f || !is_white(static_cast<char>(c)); });
  }

  bool set(const Item& item) {
    return run(item, [&](char32_t c) { return is_in_set(c, item.text); });
  }

  ArrayBuilder values_;
  Arena& arena_;
  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

Value ruby_scanf(Arena& arena, std::string_view text, std::string_view format) {
  return Scanner(arena, text).scan(FormatReader(format).read());
}

}  // namespace bunraku
