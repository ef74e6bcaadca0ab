#include "base/text/mersenne_twister.h"

#include <bit>

namespace bunraku {

namespace {

constexpr int kShift = 397;
constexpr uint32_t kArraySeed = 19650218;

std::array<uint32_t, 2> words_of(uint64_t seed) {
  return {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)};
}

uint32_t twist(uint32_t high, uint32_t low) {
  const uint32_t mixed = (high & 0x80000000U) | (low & 0x7fffffffU);
  return (mixed >> 1) ^ ((low & 1) ? 0x9908b0dfU : 0);
}

}  // namespace

MersenneTwister::MersenneTwister(uint64_t seed)
    : MersenneTwister(std::span<const uint32_t>(words_of(seed)).first(seed >> 32 ? 2 : 1)) {}

MersenneTwister::MersenneTwister(std::span<const uint32_t> seed) {
  while (seed.size() > 1 && seed.back() == 0) seed = seed.first(seed.size() - 1);
  // Ruby drops a highest word of 1, which it takes for a guard of leading zeros. It seeds with a
  // single word by the simple method, with more by the method for arrays.
  if (seed.size() > 1 && seed.back() == 1) seed = seed.first(seed.size() - 1);
  if (seed.size() <= 1) {
    state_ = seeded_with(seed.empty() ? 0 : seed[0]);
    return;
  }
  static const auto kStart = seeded_with(kArraySeed);
  state_ = kStart;
  size_t i = 1;
  size_t j = 0;
  size_t rounds = seed.size() > kSize ? seed.size() : kSize;
  auto wrap = [&] {
    if (i >= kSize) {
      state_[0] = state_[kSize - 1];
      i = 1;
    }
  };
  for (; rounds > 0; rounds--) {
    const uint32_t before = state_[i - 1];
    state_[i] =
        (state_[i] ^ ((before ^ (before >> 30)) * 1664525U)) + seed[j] + static_cast<uint32_t>(j);
    i++;
    j++;
    wrap();
    if (j >= seed.size()) j = 0;
  }
  for (rounds = kSize - 1; rounds > 0; rounds--) {
    const uint32_t before = state_[i - 1];
    state_[i] = (state_[i] ^ ((before ^ (before >> 30)) * 1566083941U)) - static_cast<uint32_t>(i);
    i++;
    wrap();
  }
  state_[0] = 0x80000000U;
}

MersenneTwister::State MersenneTwister::seeded_with(uint32_t seed) {
  State state;
  state[0] = seed;
  for (uint32_t i = 1; i < kSize; i++) {
    state[i] = 1812433253U * (state[i - 1] ^ (state[i - 1] >> 30)) + i;
  }
  return state;
}

// The words are renewed when they are drawn, because most generators return only a number or two.
uint32_t MersenneTwister::next() {
  const int i = next_;
  next_ = i + 1 == kSize ? 0 : i + 1;
  const int shifted = i < kSize - kShift ? i + kShift : i + kShift - kSize;
  uint32_t y = state_[i] = state_[shifted] ^ twist(state_[i], state_[next_]);
  y ^= y >> 11;
  y ^= (y << 7) & 0x9d2c5680U;
  y ^= (y << 15) & 0xefc60000U;
  return y ^ (y >> 18);
}

uint64_t MersenneTwister::bounded(uint64_t limit) {
  const uint64_t highest = limit - 1;
  if (highest == 0) return 0;
  const uint64_t mask = ~uint64_t{0} >> std::countl_zero(highest);
  // Draws again as soon as the words so far, the highest first, exceed the limit.
  for (;;) {
    uint64_t drawn = 0;
    bool too_large = false;
    for (int word = 1; word >= 0 && !too_large; word--) {
      const uint64_t word_mask = (mask >> (word * 32)) & 0xffffffffU;
      if (word_mask == 0) continue;
      drawn |= (next() & word_mask) << (word * 32);
      too_large = highest < drawn;
    }
    if (!too_large) return drawn;
  }
}

double MersenneTwister::real() {
  const uint32_t high = next() >> 5;
  const uint32_t low = next() >> 6;
  return (high * 67108864.0 + low) * (1.0 / 9007199254740992.0);
}

}  // namespace bunraku
