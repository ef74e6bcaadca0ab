// Versions of module files that native functions reproduce.
#pragma once

#include <compare>
#include <string_view>

namespace bunraku {

// Tables of these are sorted by name and digest; tools/function-digests generates them.
struct KnownSource {
  std::string_view function;
  // The SHA-256 of the module's file that defines the function, in hexadecimal digits.
  std::string_view digest;
  friend auto operator<=>(const KnownSource&, const KnownSource&) = default;
};

}  // namespace bunraku
