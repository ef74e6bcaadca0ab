// Internet addresses and networks, as Ruby's IPAddr parses them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bunraku {

class IpAddress {
 public:
  // Parses "10.1.2.3", "10.0.0.0/8", "10.0.0.0/255.0.0.0", "fe80::1", "[::1]", "::/0". Bits beyond
  // the mask are cleared. For other text returns no value, and `error` has the reason in Ruby's
  // words.
  static std::optional<IpAddress> parse(std::string_view text, std::string& error);

  bool is_v6() const { return is_v6_; }
  // Returns whether the other address or network is within this one.
  bool includes(const IpAddress& other) const;
  std::string text() const;
  // The addresses at both ends of a network; for one address, that address.
  IpAddress first() const;
  IpAddress last() const;
  // The address behind the first one; no value behind the last address of all.
  std::optional<IpAddress> next() const;
  // The length of the prefix: 8 for 10.0.0.0/8.
  int prefix_length() const;
  // The first address as a number; no value beyond 63 bits.
  std::optional<int64_t> number() const;
  // Returns whether the first addresses are the same, as `==` of Ruby compares them.
  bool begins_with(const IpAddress& other) const {
    return is_v6_ == other.is_v6_ && first_ == other.first_;
  }

 private:
  using Bytes = std::array<uint8_t, 16>;  // the first four for IPv4
  int size() const { return is_v6_ ? 16 : 4; }
  std::string decimal() const;

  Bytes first_{};
  Bytes last_{};
  bool is_v6_ = false;
};

}  // namespace bunraku
