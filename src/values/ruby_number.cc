#include "values/ruby_number.h"

#include <fmt/format.h>

#include <cctype>
#include <cstdlib>
#include <string>

#include "base/diagnostics/diagnostic.h"
#include "base/text/ascii.h"
#include "base/text/ruby_text.h"

namespace bunraku {

namespace {

bool take_sign(std::string_view& text) {
  if (text.empty() || (text[0] != '-' && text[0] != '+')) return false;
  const bool negative = text[0] == '-';
  text.remove_prefix(1);
  return negative;
}

unsigned digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 99;
}

int base_of_prefix(char letter) {
  switch (std::tolower(static_cast<unsigned char>(letter))) {
    case 'x':
      return 16;
    case 'b':
      return 2;
    case 'o':
      return 8;
    case 'd':
      return 10;
    default:
      return 0;
  }
}

// Removes a prefix that agrees with `base`, and determines the base when it is 0. Returns false
// when the text after the prefix cannot be a number.
bool take_prefix(std::string_view& text, int& base) {
  if (text.size() >= 2 && text[0] == '0') {
    const int prefixed = base_of_prefix(text[1]);
    if (prefixed != 0 && (base == 0 || base == prefixed)) {
      base = prefixed;
      text.remove_prefix(2);
      return !text.empty() && text[0] != '_';
    }
    if (base == 0) base = 8;
  }
  if (base == 0) base = 10;
  return true;
}

// Appends a run of digits with single underscores between them. Returns false for an underscore
// elsewhere.
template <typename IsDigit>
bool take_digits(std::string_view text, size_t& at, std::string& digits, IsDigit is_digit) {
  const size_t start = at;
  while (at < text.size()) {
    if (is_digit(text[at])) {
      digits += text[at++];
    } else if (text[at] == '_') {
      const bool between =
          at > start && at + 1 < text.size() && is_digit(text[at + 1]) && text[at - 1] != '_';
      if (!between) return false;
      at++;
    } else {
      break;
    }
  }
  return true;
}

}  // namespace

std::optional<BigInteger> ruby_integer(std::string_view text, int base) {
  text = trimmed(text);
  const bool negative = take_sign(text);
  if (!take_prefix(text, base) || text.empty()) return std::nullopt;
  std::string digits;
  size_t at = 0;
  auto is_digit = [base](char c) { return digit_of(c) < static_cast<unsigned>(base); };
  if (!take_digits(text, at, digits, is_digit) || at != text.size() || digits.empty()) {
    return std::nullopt;
  }
  // A limit, because the time grows with the square of the number of digits.
  constexpr size_t kMostDigits = 50'000;
  if (digits.size() > kMostDigits) {
    throw EvaluationError(
        make_diagnostic(Issue::kTooLarge, {}, {"A number", std::to_string(kMostDigits), "digits"}));
  }
  BigInteger result = BigInteger::from_digits(digits, static_cast<unsigned>(base));
  if (negative) result.negate();
  return result;
}

std::optional<double> ruby_float(std::string_view text) {
  text = trimmed(text);
  std::string clean;
  if (take_sign(text)) clean = "-";
  if (text.empty()) return std::nullopt;
  const bool hexadecimal = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  size_t at = 0;
  if (hexadecimal) {
    clean += "0x";
    at = 2;
  }
  auto is_digit = [hexadecimal](char c) { return digit_of(c) < (hexadecimal ? 16U : 10U); };
  auto is_decimal = [](char c) { return c >= '0' && c <= '9'; };
  size_t before = clean.size();
  if (!take_digits(text, at, clean, is_digit)) return std::nullopt;
  const bool has_whole = clean.size() > before;
  if (hexadecimal && !has_whole) return std::nullopt;
  if (at < text.size() && text[at] == '.') {
    clean += '.';
    at++;
    before = clean.size();
    if (!take_digits(text, at, clean, is_digit) || clean.size() == before) return std::nullopt;
  } else if (!has_whole) {
    return std::nullopt;
  }
  const char exponent = hexadecimal ? 'p' : 'e';
  if (at < text.size() && std::tolower(static_cast<unsigned char>(text[at])) == exponent) {
    clean += exponent;
    at++;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) clean += text[at++];
    before = clean.size();
    if (!take_digits(text, at, clean, is_decimal) || clean.size() == before) return std::nullopt;
  }
  if (at != text.size()) return std::nullopt;
  return std::strtod(clean.c_str(), nullptr);
}

std::string invalid_float_message(std::string_view text) {
  std::string inspected;
  append_ruby_inspect(inspected, text);
  std::string message = "invalid value for Float(): ";
  for (char c : inspected) {
    if (static_cast<unsigned char>(c) < 0x80) {
      message += c;
    } else {
      message += fmt::format("\\x{:02X}", static_cast<unsigned char>(c));
    }
  }
  return message;
}

}  // namespace bunraku
