// Internet addresses and networks, as Ruby's IPAddr parses them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bunraku::stdlib {

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

 private:
  using Bytes = std::array<uint8_t, 16>;  // the first four for IPv4
  int size() const { return is_v6_ ? 16 : 4; }
  std::string decimal() const;

  Bytes first_{};
  Bytes last_{};
  bool is_v6_ = false;
};

}  // namespace bunraku::stdlib
