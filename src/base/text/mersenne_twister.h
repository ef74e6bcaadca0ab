// Ruby's Random: MT19937 seeded with an integer of any size, and Ruby's method for bounded
// integers.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace bunraku {

class MersenneTwister {
 public:
  // Random.new(seed): `seed` has the 32-bit words of the seed's magnitude, least significant first;
  // at least one.
  explicit MersenneTwister(std::span<const uint32_t> seed);
  explicit MersenneTwister(uint64_t seed);

  uint32_t next();
  // Random#rand(limit): 0 <= result < limit. Needs limit > 0.
  uint64_t bounded(uint64_t limit);
  // Random#rand: 0 <= result < 1, with 53 bits.
  double real();

 private:
  static constexpr int kSize = 624;
  using State = std::array<uint32_t, kSize>;
  static State seeded_with(uint32_t seed);

  State state_;
  int next_ = 0;
};

}  // namespace bunraku
