// Internet addresses and networks, as Ruby's IPAddr reads them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bunraku::stdlib {

class IpAddress {
 public:
  // "10.1.2.3", "10.0.0.0/8", "10.0.0.0/255.0.0.0", "fe80::1", "[::1]", "::/0". Bits behind the
  // mask are cleared. When the text is none of these, nothing, and `error` says why in Ruby's
  // words.
  static std::optional<IpAddress> parse(std::string_view text, std::string& error);

  bool is_v6() const { return is_v6_; }
  // Is the other address or network within this one?
  bool includes(const IpAddress& other) const;
  std::string text() const;

 private:
  using Bytes = std::array<uint8_t, 16>;  // the first four when it is IPv4
  int size() const { return is_v6_ ? 16 : 4; }
  std::string decimal() const;

  Bytes first_{};
  Bytes last_{};
  bool is_v6_ = false;
};

}  // namespace bunraku::stdlib
