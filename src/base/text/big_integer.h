// Integers of any size, for texts of numbers: reading, shifting, and writing in a base. Values of
// the language never contain one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bunraku {

class BigInteger {
 public:
  BigInteger() = default;  // 0
  BigInteger(int64_t value);
  // The integral part of a finite number.
  static BigInteger truncated(double value);
  // `digits` has only digits of `base` (2 to 36).
  static BigInteger from_digits(std::string_view digits, unsigned base);
  // value * 2^shift
  BigInteger shifted_left(unsigned shift) const;

  bool negative() const { return negative_; }
  bool is_zero() const { return words_.empty(); }
  void negate() { negative_ = !negative_ && !words_.empty(); }
  bool fits_int64() const;
  int64_t to_int64() const;  // only when it fits
  double to_double() const;
  // The 32-bit words of the magnitude, the least significant first; none for 0.
  std::span<const uint32_t> words() const { return words_; }
  // The magnitude's digits, lower case, without sign; "0" for 0.
  std::string digits(unsigned base) const;
  std::string text() const { return (negative_ ? "-" : "") + digits(10); }

  void multiply(uint32_t factor);
  void add(uint32_t summand);  // to the magnitude
  // Divides the magnitude and returns the remainder.
  uint32_t divide(uint32_t divisor);

 private:
  void trim();

  std::vector<uint32_t> words_;
  bool negative_ = false;
};

}  // namespace bunraku
