// Amounts in the form that facts show.
#include "facts/units.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

namespace bunraku::facts {

std::string bytes_text(uint64_t bytes) {
  constexpr std::array<std::string_view, 6> kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  size_t unit = 0;
  double amount = static_cast<double>(bytes) / 1024;
  while (amount >= 1024 && unit + 1 < kUnits.size()) {
    amount /= 1024;
    ++unit;
  }
  amount = std::round(100.0 * amount) / 100.0;
  if (amount >= 1024 && unit + 1 < kUnits.size()) {
    amount = 1;
    ++unit;
  }
  return fmt::format("{:.2f} {}", amount, kUnits[unit]);
}

std::string hertz_text(uint64_t hertz) {
  constexpr std::array<std::string_view, 5> kUnits = {"Hz", "kHz", "MHz", "GHz", "THz"};
  if (hertz == 0) return {};
  size_t unit = 0;
  auto amount = static_cast<double>(hertz);
  while (amount >= 1000 && unit + 1 < kUnits.size()) {
    amount /= 1000;
    ++unit;
  }
  return fmt::format("{:.2f} {}", std::round(amount * 100) / 100, kUnits[unit]);
}

std::string percent_text(uint64_t used, uint64_t total) {
  return fmt::format("{:.2f}%", static_cast<double>(used) / static_cast<double>(total) * 100);
}

}  // namespace bunraku::facts
