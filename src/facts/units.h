// Amounts in the form that facts show.
#pragma once

#include <cstdint>
#include <string>

namespace bunraku::facts {

// "512 bytes", "1.50 GiB"
std::string bytes_text(uint64_t bytes);
// "2.45 GHz"; empty for 0.
std::string hertz_text(uint64_t hertz);
// The share of `used` in `total` in per cent with two decimals, "42.17%".
std::string percent_text(uint64_t used, uint64_t total);

}  // namespace bunraku::facts
