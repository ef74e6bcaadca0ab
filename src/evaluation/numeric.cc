#include "evaluation/numeric.h"

#include <cmath>
#include <string>

#include "base/text/ascii.h"
#include "base/text/number_text.h"
#include "base/text/utf8.h"

namespace bunraku {

namespace {

void skip_blanks(std::string_view& text) {
  while (!text.empty()) {
    size_t offset = 0;
    if (!is_blank(next_character(text, offset))) return;
    text.remove_prefix(offset);
  }
}

bool is_octal_digit(char c) {
  return c >= '0' && c <= '7';
}

// Removes the leading characters that `accepts` matches from the text and returns them.
template <typename Accepts>
std::string_view take(std::string_view& text, Accepts accepts) {
  size_t size = 0;
  while (size < text.size() && accepts(text[size])) ++size;
  const std::string_view taken = text.substr(0, size);
  text.remove_prefix(size);
  return taken;
}

std::optional<Value> integer_value(std::string_view digits, int radix, bool is_negative) {
  const std::string signed_digits = (is_negative ? "-" : "") + std::string(digits);
  std::optional<int64_t> value = parse_integer(signed_digits, radix);
  if (!value) return std::nullopt;
  return Value::integer(*value);
}

}  // namespace

std::optional<Value> to_number(std::string_view text) {
  if (text.starts_with("::")) text.remove_prefix(2);
  skip_blanks(text);
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  skip_blanks(text);
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') &&
      is_hex_digit(text[2])) {
    text.remove_prefix(2);
    const std::string_view digits = take(text, is_hex_digit);
    skip_blanks(text);
    if (!text.empty()) return std::nullopt;
    return integer_value(digits, 16, is_negative);
  }
  const char* start = text.data();
  const std::string_view digits = take(text, is_digit);
  if (digits.empty()) return std::nullopt;
  bool is_float = false;
  if (text.size() > 1 && text[0] == '.' && is_digit(text[1])) {
    is_float = true;
    text.remove_prefix(1);
    take(text, is_digit);
  }
  if (!text.empty() && (text[0] == 'e' || text[0] == 'E')) {
    std::string_view exponent = text.substr(1);
    if (exponent.starts_with('-')) exponent.remove_prefix(1);
    if (exponent.empty() || !is_digit(exponent[0])) return std::nullopt;
    is_float = true;
    take(exponent, is_digit);
    text = exponent;
  }
  const std::string number(start, static_cast<size_t>(text.data() - start));
  skip_blanks(text);
  if (!text.empty()) return std::nullopt;
  if (is_float) {
    std::optional<double> value = parse_float(number);
    if (!value || std::isinf(*value)) return std::nullopt;
    return Value::floating(is_negative ? -*value : *value);
  }
  const bool is_octal = digits.size() > 1 && digits[0] == '0';
  if (is_octal) {
    for (const char c : digits) {
      if (!is_octal_digit(c)) return std::nullopt;
    }
  }
  return integer_value(digits, is_octal ? 8 : 10, is_negative);
}

}  // namespace bunraku
