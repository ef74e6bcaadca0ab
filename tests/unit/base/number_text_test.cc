#include "base/text/number_text.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>

#include "test_directory.h"

using namespace bunraku;

TEST_CASE("number text: floats as Ruby prints them") {
  std::ifstream file(bunraku::test_directory() / "unit/base/data/float_texts.txt");
  std::string bits;
  std::string expected;
  size_t count = 0;
  while (file >> bits >> expected) {
    uint64_t word = std::stoull(bits, nullptr, 16);
    double value;
    std::memcpy(&value, &word, sizeof value);
    CHECK(float_text(value) == expected);
    if (std::isfinite(value)) CHECK(parse_float(expected) == value);
    ++count;
  }
  CHECK(count > 300);
}

TEST_CASE("number text: integers") {
  CHECK(parse_integer("42") == 42);
  CHECK(parse_integer("+42") == 42);
  CHECK(parse_integer("-9223372036854775808") == INT64_MIN);
  CHECK(parse_integer("ff", 16) == 255);
  CHECK_FALSE(parse_integer("9223372036854775808"));
  CHECK_FALSE(parse_integer(""));
  CHECK_FALSE(parse_integer("+"));
  CHECK_FALSE(parse_integer("+-1"));
  CHECK_FALSE(parse_integer("1x"));
}

TEST_CASE("number text: reading floats") {
  CHECK(parse_float("-1.5e-3") == -0.0015);
  CHECK(parse_float("1e400") == INFINITY);
  CHECK(parse_float("1e-400") == 0.0);
  CHECK_FALSE(parse_float("nan"));
  CHECK_FALSE(parse_float("1.5x"));
  CHECK_FALSE(parse_float("+-1"));
  CHECK_FALSE(parse_float(""));
}
