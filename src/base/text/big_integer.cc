#include "base/text/big_integer.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bunraku {

namespace {

unsigned digit_value(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'z') return digit - 'a' + 10;
  return digit - 'A' + 10;
}

}  // namespace

BigInteger::BigInteger(int64_t value) : negative_(value < 0) {
  const uint64_t magnitude =
      value < 0 ? ~static_cast<uint64_t>(value) + 1 : static_cast<uint64_t>(value);
  words_ = {static_cast<uint32_t>(magnitude), static_cast<uint32_t>(magnitude >> 32)};
  trim();
}

BigInteger BigInteger::truncated(double value) {
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(std::trunc(value)), &exponent);
  constexpr int kMantissa = std::numeric_limits<double>::digits;
  auto mantissa = static_cast<int64_t>(std::ldexp(fraction, kMantissa));
  const int shift = exponent - kMantissa;
  BigInteger result = shift >= 0 ? BigInteger(mantissa).shifted_left(static_cast<unsigned>(shift))
                                 : BigInteger(shift < -63 ? 0 : mantissa >> -shift);
  if (value < 0) result.negate();
  return result;
}

BigInteger BigInteger::from_digits(std::string_view digits, unsigned base) {
  BigInteger result;
  // As many digits at a time as fit in one word.
  for (size_t at = 0; at < digits.size();) {
    uint32_t factor = 1;
    uint32_t part = 0;
    while (at < digits.size() && uint64_t{factor} * base <= 0xffffffffU) {
      factor *= base;
      part = part * base + digit_value(digits[at++]);
    }
    result.multiply(factor);
    result.add(part);
  }
  return result;
}

BigInteger BigInteger::shifted_left(unsigned shift) const {
  BigInteger result;
  result.negative_ = negative_;
  result.words_.assign(shift / 32, 0);
  const unsigned bits = shift % 32;
  uint32_t carry = 0;
  for (const uint32_t word : words_) {
    result.words_.push_back((word << bits) | carry);
    carry = bits == 0 ? 0 : word >> (32 - bits);
  }
  result.words_.push_back(carry);
  result.trim();
  return result;
}

bool BigInteger::fits_int64() const {
  if (words_.size() > 2) return false;
  if (words_.size() < 2) return true;
  const uint64_t magnitude = (uint64_t{words_[1]} << 32) | words_[0];
  return magnitude <= (uint64_t{1} << 63) - (negative_ ? 0 : 1);
}

int64_t BigInteger::to_int64() const {
  uint64_t magnitude = 0;
  for (size_t i = words_.size(); i-- > 0;) magnitude = (magnitude << 32) | words_[i];
  return static_cast<int64_t>(negative_ ? ~magnitude + 1 : magnitude);
}

double BigInteger::to_double() const {
  // The two highest words, with the lower ones folded into the last bit, round as the whole number
  // does.
  const size_t count = words_.size();
  if (count == 0) return 0;
  if (count <= 2) {
    uint64_t magnitude = 0;
    for (size_t i = count; i-- > 0;) magnitude = (magnitude << 32) | words_[i];
    const double result = static_cast<double>(magnitude);
    return negative_ ? -result : result;
  }
  if (count > 40)
    return negative_ ? -std::numeric_limits<double>::infinity()
                     : std::numeric_limits<double>::infinity();
  // Shifted so that the highest bit is set; 64 bits remain above the folded ones.
  BigInteger aligned = *this;
  unsigned shift = 0;
  while (!((words_.back() << shift) & 0x80000000U)) shift++;
  aligned = shifted_left(shift);
  const size_t top = aligned.words_.size();
  uint64_t high = (uint64_t{aligned.words_[top - 1]} << 32) | aligned.words_[top - 2];
  const bool rest = std::any_of(aligned.words_.begin(), aligned.words_.end() - 2,
                                [](uint32_t word) { return word != 0; });
  if (rest) high |= 1;
  const double result = std::ldexp(static_cast<double>(high),
                                   static_cast<int>(32 * (top - 2)) - static_cast<int>(shift));
  return negative_ ? -result : result;
}

std::string BigInteger::digits(unsigned base) const {
  if (words_.empty()) return "0";
  std::string text;
  BigInteger rest = *this;
  // As many digits at a time as fit in one word.
  uint32_t chunk = base;
  unsigned chunk_digits = 1;
  while (uint64_t{chunk} * base <= 0xffffffffU) {
    chunk *= base;
    chunk_digits++;
  }
  while (!rest.is_zero()) {
    uint32_t part = rest.divide(chunk);
    for (unsigned i = 0; i < chunk_digits && (part != 0 || !rest.is_zero()); i++) {
      text += "0123456789abcdefghijklmnopqrstuvwxyz"[part % base];
      part /= base;
    }
  }
  std::ranges::reverse(text);
  return text;
}

void BigInteger::multiply(uint32_t factor) {
  uint64_t carry = 0;
  for (uint32_t& word : words_) {
    carry += uint64_t{word} * factor;
    word = static_cast<uint32_t>(carry);
    carry >>= 32;
  }
  if (carry) words_.push_back(static_cast<uint32_t>(carry));
}

void BigInteger::add(uint32_t summand) {
  uint64_t carry = summand;
  for (size_t i = 0; carry && i < words_.size(); i++) {
    carry += words_[i];
    words_[i] = static_cast<uint32_t>(carry);
    carry >>= 32;
  }
  if (carry) words_.push_back(static_cast<uint32_t>(carry));
}

uint32_t BigInteger::divide(uint32_t divisor) {
  uint64_t rest = 0;
  for (size_t i = words_.size(); i-- > 0;) {
    rest = (rest << 32) | words_[i];
    words_[i] = static_cast<uint32_t>(rest / divisor);
    rest %= divisor;
  }
  trim();
  return static_cast<uint32_t>(rest);
}

void BigInteger::trim() {
  while (!words_.empty() && words_.back() == 0) words_.pop_back();
  if (words_.empty()) negative_ = false;
}

}  // namespace bunraku
