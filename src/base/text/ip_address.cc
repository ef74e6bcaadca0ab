#include "base/text/ip_address.h"

#include <arpa/inet.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "base/regex/regex.h"
#include "base/text/number_text.h"

namespace bunraku {

namespace {

// Returns false with an error for an invalid address in dotted form, and false without an error for
// other text.
bool read_v4(std::string_view text, std::array<uint8_t, 16>& bytes, std::string& error) {
  static const Regex& dotted = *Regex::compile(R"(\A(\d+)\.(\d+)\.(\d+)\.(\d+)\z)");
  Captures match;
  if (!dotted.search(text, 0, match)) return false;
  for (size_t i = 0; i < 4; ++i) {
    const std::string_view octet = match.text(text, i + 1);
    std::optional<int64_t> value = parse_integer(octet);
    if (!value || *value > 255) {
      error = "invalid address: ";
      return false;
    }
    if (octet.size() > 1 && octet[0] == '0') {
      error = "zero-filled number in IPv4 address is ambiguous: ";
      return false;
    }
    bytes[i] = static_cast<uint8_t>(*value);
  }
  return true;
}

bool read_v6(std::string_view text, std::array<uint8_t, 16>& bytes) {
  return inet_pton(AF_INET6, std::string(text).c_str(), bytes.data()) == 1;
}

// Returns whether all set bits of a mask are before all others.
bool is_mask(const std::array<uint8_t, 16>& bytes, int size) {
  bool ended = false;
  for (int bit = 0; bit < size * 8; ++bit) {
    const bool is_set = (bytes[static_cast<size_t>(bit / 8)] & (0x80 >> bit % 8)) != 0;
    if (is_set && ended) return false;
    ended = !is_set;
  }
  return true;
}

}  // namespace

// The address as one number, as in Ruby's messages.
std::string IpAddress::decimal() const {
  std::vector<uint8_t> digits{0};
  for (int i = 0; i < size(); ++i) {
    unsigned carry = first_[static_cast<size_t>(i)];
    for (uint8_t& digit : digits) {
      const unsigned value = digit * 256u + carry;
      digit = static_cast<uint8_t>(value % 10);
      carry = value / 10;
    }
    for (; carry > 0; carry /= 10) digits.push_back(static_cast<uint8_t>(carry % 10));
  }
  std::string text;
  for (size_t i = digits.size(); i-- > 0;) text += static_cast<char>('0' + digits[i]);
  return text;
}

std::optional<IpAddress> IpAddress::parse(std::string_view text, std::string& error) {
  static const Regex& plain_number = *Regex::compile(R"(\A(0|[1-9]+\d*)\z)");
  static const Regex& digits = *Regex::compile(R"(\A\d+\z)");
  error.clear();
  const size_t slash = text.find('/');
  std::string_view prefix = text.substr(0, slash);
  bool wants_v6 = false;
  if (prefix.size() > 1 && prefix.starts_with('[') && prefix.ends_with(']')) {
    prefix = prefix.substr(1, prefix.size() - 2);
    wants_v6 = true;
  }
  if (const size_t zone = prefix.rfind('%'); zone != prefix.npos && zone + 1 < prefix.size()) {
    prefix = prefix.substr(0, zone);
    wants_v6 = true;
  }
  IpAddress address;
  if (wants_v6 || !read_v4(prefix, address.first_, error)) {
    if (!error.empty()) return std::nullopt;
    if (!read_v6(prefix, address.first_)) {
      error = "invalid address: ";
      return std::nullopt;
    }
    address.is_v6_ = true;
  }
  const int width = address.size() * 8;
  int length = width;
  if (slash != text.npos) {
    const std::string_view mask = text.substr(slash + 1);
    if (plain_number.matches(mask)) {
      std::optional<int64_t> value = parse_integer(mask);
      if (!value || *value > width) {
        error = "invalid length: " + address.decimal();
        return std::nullopt;
      }
      length = static_cast<int>(*value);
    } else if (digits.matches(mask)) {
      error = "leading zeros in prefix";
      return std::nullopt;
    } else {
      std::optional<IpAddress> mask_address = parse(mask, error);
      if (!mask_address) return std::nullopt;
      if (mask_address->is_v6_ != address.is_v6_) {
        error = "address family is not same: " + address.decimal();
        return std::nullopt;
      }
      if (!is_mask(mask_address->first_, address.size())) {
        error = "invalid mask " + std::string(mask) + ": " + address.decimal();
        return std::nullopt;
      }
      address.last_ = address.first_;
      for (size_t i = 0; i < static_cast<size_t>(address.size()); ++i) {
        address.first_[i] &= mask_address->first_[i];
        address.last_[i] = static_cast<uint8_t>(address.first_[i] | ~mask_address->first_[i]);
      }
      return address;
    }
  }
  address.last_ = address.first_;
  for (int bit = length; bit < width; ++bit) {
    const uint8_t flag = static_cast<uint8_t>(0x80 >> bit % 8);
    address.first_[static_cast<size_t>(bit / 8)] &= static_cast<uint8_t>(~flag);
    address.last_[static_cast<size_t>(bit / 8)] |= flag;
  }
  return address;
}

bool IpAddress::includes(const IpAddress& other) const {
  return is_v6_ == other.is_v6_ && first_ <= other.first_ && last_ >= other.last_;
}

IpAddress IpAddress::first() const {
  IpAddress address = *this;
  address.last_ = first_;
  return address;
}

IpAddress IpAddress::last() const {
  IpAddress address = *this;
  address.first_ = last_;
  return address;
}

std::optional<IpAddress> IpAddress::next() const {
  IpAddress address = *this;
  size_t at = static_cast<size_t>(size());
  do {
    if (at == 0) return std::nullopt;
    --at;
  } while (++address.first_[at] == 0);
  address.last_ = address.first_;
  return address;
}

int IpAddress::prefix_length() const {
  for (int i = 0; i < size(); ++i) {
    const auto differing =
        static_cast<uint8_t>(first_[static_cast<size_t>(i)] ^ last_[static_cast<size_t>(i)]);
    if (differing != 0) return i * 8 + std::countl_zero(differing);
  }
  return size() * 8;
}

std::optional<int64_t> IpAddress::number() const {
  uint64_t number = 0;
  for (int i = 0; i < size(); ++i) {
    if (number >> 55 != 0) return std::nullopt;
    number = number << 8 | first_[static_cast<size_t>(i)];
  }
  return static_cast<int64_t>(number);
}

std::string IpAddress::text() const {
  char buffer[INET6_ADDRSTRLEN];
  inet_ntop(is_v6_ ? AF_INET6 : AF_INET, first_.data(), buffer, sizeof buffer);
  return buffer;
}

}  // namespace bunraku
