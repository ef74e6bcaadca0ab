#include "base/text/ascii.h"

#include <doctest/doctest.h>

using namespace bunraku;

TEST_CASE("ASCII: classes of characters") {
  for (int code = 0; code < 256; ++code) {
    const char c = static_cast<char>(code);
    const bool is_ascii = code > 0 && code < 128;
    const auto among = [&](std::string_view set) { return is_ascii && set.find(c) != set.npos; };
    const bool digit = among("0123456789");
    const bool lower = among("abcdefghijklmnopqrstuvwxyz");
    const bool upper = among("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    CHECK(is_digit(c) == digit);
    CHECK(is_lower(c) == lower);
    CHECK(is_upper(c) == upper);
    CHECK(is_letter(c) == (lower || upper));
    CHECK(is_hex_digit(c) == (digit || among("abcdefABCDEF")));
    CHECK(is_word_character(c) == (digit || lower || upper || c == '_'));
    CHECK(is_white(c) == among(kWhiteCharacters));
  }
}

TEST_CASE("ASCII: lower case and trimming") {
  CHECK(to_lower("AbÉ[z]") == "abÉ[z]");
  CHECK(trimmed(" \t a b \r\n") == "a b");
  CHECK(trimmed("xxabxx", "x") == "ab");
  CHECK(trimmed(" \n").empty());
  CHECK(trimmed(std::string_view(" a\0", 3)) == std::string_view("a\0", 2));
  CHECK(stripped(std::string_view("\0 a\0 ", 5)) == "a");
  CHECK(stripped("").empty());
}
