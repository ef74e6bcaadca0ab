#include "base/text/number_text.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace bunraku {
namespace {

// Ruby writes an exponent when the decimal point would be further away than this, unless digits
// follow it.
constexpr int kMostLeadingZeros = 4;
constexpr int kMostWholeDigits = 15;

}  // namespace

void append_float(std::string& to, double value) {
  if (std::isnan(value)) {
    to += "NaN";
    return;
  }
  if (std::signbit(value)) to += '-';
  value = std::fabs(value);
  if (std::isinf(value)) {
    to += "Infinity";
    return;
  }
  // "d.ddde±XX" with the shortest digits that identify the number.
  char buffer[40];
  auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
  std::string digits;
  char* at = buffer;
  for (; *at != 'e'; ++at) {
    if (*at != '.') digits += *at;
  }
  int exponent = 0;
  std::from_chars(at[1] == '+' ? at + 2 : at + 1, end, exponent);

  const int point = exponent + 1;  // the position of the decimal point in the digits
  const int count = static_cast<int>(digits.size());
  if (value == 0) {
    to += "0.0";
  } else if (point > 0 && (point <= kMostWholeDigits || point < count)) {
    if (count <= point) {
      to += digits;
      to.append(static_cast<size_t>(point - count), '0');
      to += ".0";
    } else {
      to.append(digits, 0, static_cast<size_t>(point));
      to += '.';
      to.append(digits, static_cast<size_t>(point));
    }
  } else if (point <= 0 && point > -kMostLeadingZeros) {
    to += "0.";
    to.append(static_cast<size_t>(-point), '0');
    to += digits;
  } else {
    to += digits[0];
    to += '.';
    if (count > 1) {
      to.append(digits, 1);
    } else {
      to += '0';
    }
    to += exponent < 0 ? "e-" : "e+";
    if (std::abs(exponent) < 10) to += '0';
    append_integer(to, std::abs(exponent));
  }
}

std::string float_text(double value) {
  std::string text;
  append_float(text, value);
  return text;
}

void append_integer(std::string& to, int64_t value) {
  const fmt::format_int digits(value);
  to.append(digits.data(), digits.size());
}

std::optional<int64_t> parse_integer(std::string_view digits, int radix) {
  if (!digits.empty() && digits[0] == '+') {
    digits.remove_prefix(1);
    if (!digits.empty() && digits[0] == '-') return std::nullopt;
  }
  int64_t value = 0;
  const char* end = digits.data() + digits.size();
  auto result = std::from_chars(digits.data(), end, value, radix);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

std::optional<double> parse_float(std::string_view text) {
  std::string_view digits = text;
  if (!digits.empty() && digits[0] == '+') digits.remove_prefix(1);
  if (digits.empty()) return std::nullopt;
  // from_chars would also accept "inf" and "nan", and a second sign.
  for (const char c : digits) {
    const bool is_known =
        (c >= '0' && c <= '9') || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-';
    if (!is_known) return std::nullopt;
  }
  if (digits.size() < text.size() && digits[0] == '-') return std::nullopt;
  double value = 0;
  const char* end = digits.data() + digits.size();
  auto result = std::from_chars(digits.data(), end, value);
  if (result.ptr != end) return std::nullopt;
  if (result.ec == std::errc::result_out_of_range)
    return std::strtod(std::string(digits).c_str(), nullptr);
  if (result.ec != std::errc()) return std::nullopt;
  return value;
}

}  // namespace bunraku
