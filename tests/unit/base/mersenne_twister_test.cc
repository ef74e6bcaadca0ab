#include "base/text/mersenne_twister.h"

#include <doctest/doctest.h>

using namespace bunraku;

// The expected numbers are those of Ruby's Random.new(seed).rand(limit).
TEST_CASE("random numbers are Ruby's") {
  MersenneTwister zero(uint64_t{0});
  CHECK(zero.bounded(1) == 0);
  CHECK(zero.bounded(2) == 0);
  CHECK(zero.bounded(10) == 5);
  CHECK(zero.bounded(1000) == 192);
  CHECK(zero.bounded(4294967296) == 2588848963);
  constexpr uint32_t kWords[] = {0x12345678, 0x2468acf0, 0x369d0368, 0x48d159e0};
  MersenneTwister wide(kWords);
  CHECK(wide.bounded(100000) == 56934);
  CHECK(wide.bounded(7) == 2);
}

TEST_CASE("a highest word of 1 does not count in a seed") {
  MersenneTwister guarded(uint64_t{1} << 32);
  MersenneTwister zero(uint64_t{0});
  CHECK(guarded.next() == zero.next());
}
