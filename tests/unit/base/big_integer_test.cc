#include "base/text/big_integer.h"

#include <doctest/doctest.h>

using namespace bunraku;

TEST_CASE("big integers: digits in every base, and back") {
  for (const unsigned base : {2U, 8U, 10U, 16U, 36U}) {
    const BigInteger number = BigInteger::from_digits("123456789012345678901234567890", 10);
    CHECK(BigInteger::from_digits(number.digits(base), base).text() ==
          "123456789012345678901234567890");
  }
  CHECK(BigInteger(INT64_MIN).text() == "-9223372036854775808");
  CHECK(BigInteger(INT64_MIN).fits_int64());
  CHECK(!BigInteger::from_digits("9223372036854775808", 10).fits_int64());
  CHECK(BigInteger().text() == "0");
}

TEST_CASE("big integers and floating-point numbers") {
  CHECK(BigInteger::truncated(1e30).text() == "1000000000000000019884624838656");
  CHECK(BigInteger::truncated(-2.9).text() == "-2");
  CHECK(BigInteger::from_digits("1000000000000000019884624838656", 10).to_double() == 1e30);
  CHECK(BigInteger::from_digits("9007199254740993", 10).to_double() == 9007199254740992.0);
  CHECK(BigInteger(3).shifted_left(70).digits(16) == "c00000000000000000");
}
