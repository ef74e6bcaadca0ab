#include "conversion/ruby_rounding.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>

namespace bunraku {
namespace {

// With more digits, Ruby always computes exactly.
constexpr int kMostQuickDigits = 14;
constexpr int kMostExactPower = 22;  // powers of ten that a double holds exactly

constexpr std::array<double, 16> kPowers = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                            1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
constexpr std::array<double, 5> kLargePowers = {1e16, 1e32, 1e64, 1e128, 1e256};

// A number between 1 and 10, and how many steps of its computation rounded at most.
struct Scaled {
  double number;
  int errors = 2;
};

// The exponent from which Ruby starts. It is the exact one from 0 to 22; otherwise a linear
// approximation of the logarithm, which can be too large by one.
int estimated_exponent(double value, int exact) {
  int binary = 0;
  const double fraction = std::frexp(value, &binary) * 2;
  const double logarithm =
      (fraction - 1.5) * 0.289529654602168 + 0.1760912590558 + (binary - 1) * 0.301029995663981;
  const int estimate = static_cast<int>(std::floor(logarithm));
  return 0 <= estimate && estimate <= kMostExactPower ? exact : estimate;
}

// The number without its exponent, divided or multiplied in Ruby's order.
Scaled scaled(double value, int exponent) {
  Scaled result{value};
  unsigned rest = static_cast<unsigned>(std::abs(exponent)) >> 4;
  const double small = kPowers[static_cast<size_t>(std::abs(exponent)) & 15];
  if (exponent < 0) {
    result.number *= small;
    for (size_t i = 0; rest != 0; rest >>= 1, ++i) {
      if ((rest & 1) == 0) continue;
      ++result.errors;
      result.number *= kLargePowers[i];
    }
  } else if (exponent > 0) {
    double divisor = small;
    if ((rest & 16) != 0) {
      rest &= 15;
      result.number /= kLargePowers.back();
      ++result.errors;
    }
    for (size_t i = 0; rest != 0; rest >>= 1, ++i) {
      if ((rest & 1) == 0) continue;
      ++result.errors;
      divisor *= kLargePowers[i];
    }
    result.number /= divisor;
  }
  return result;
}

// Whether the rest after the digits cannot be distinguished from a half.
bool is_near_half(Scaled scaled, int digits) {
  const double error = std::ldexp(scaled.errors * scaled.number + 7, -52) * kPowers[digits - 1];
  double rest = scaled.number;
  for (int i = 0; i < digits; ++i) {
    if (i > 0) rest *= 10;
    rest -= std::trunc(rest);
  }
  return rest <= 0.5 + error && rest >= 0.5 - error;
}

}  // namespace

double rounded_as_in_ruby(double value, char letter, int precision) {
  if (value == 0) return value;
  // D.DDDe+XX, with more digits than are ever kept.
  char text[kMostQuickDigits + 32];
  const double number = std::abs(value);
  const char* const end =
      std::to_chars(text, std::end(text), number, std::chars_format::scientific, 20).ptr;
  const char* const mark = std::find<const char*>(text, end, 'e');
  int exponent = 0;
  std::from_chars(mark + (mark[1] == '+' ? 2 : 1), end, exponent);
  int digits = precision;
  if (letter == 'f') digits += exponent + 1;
  if (letter == 'e' || letter == 'E') ++digits;
  if ((letter == 'g' || letter == 'G') && digits == 0) digits = 1;
  if (digits < 1 || digits > kMostQuickDigits) return value;

  const int estimate = estimated_exponent(number, exponent);
  Scaled quick = scaled(number, estimate);
  if (quick.number < 1) {
    quick.number *= 10;
    ++quick.errors;
  }
  if (!is_near_half(quick, digits)) return value;
  int64_t kept = text[0] - '0';
  for (int i = 1; i < digits; ++i) kept = kept * 10 + (text[i + 1] - '0');
  kept += kept & 1;
  const std::string even = fmt::format("{}e{}", kept, exponent - digits + 1);
  double result = value;
  std::from_chars(even.data(), even.data() + even.size(), result);
  return std::copysign(result, value);
}

}  // namespace bunraku
