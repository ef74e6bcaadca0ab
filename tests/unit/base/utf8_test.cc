#include "base/text/utf8.h"

#include <doctest/doctest.h>

using namespace bunraku;

TEST_CASE("utf8: validity") {
  CHECK(is_valid_utf8("aé日😀"));
  CHECK_FALSE(is_valid_utf8("\xC0\x80"));
  CHECK_FALSE(is_valid_utf8("\xED\xA0\x80"));
  CHECK(valid_utf8_prefix("aé\xff") == 3);
  CHECK(replace_invalid_utf8("a\xff"
                             "b\xC3") ==
        "a\xEF\xBF\xBD"
        "b\xEF\xBF\xBD");
}

TEST_CASE("utf8: characters") {
  CHECK(character_count("aé日😀") == 4);
  CHECK(offset_of_character("aé日😀", 2) == 3);
  CHECK(offset_of_character("aé", 9) == 3);
  size_t offset = 0;
  CHECK(next_character("é", offset) == 0xE9);
  CHECK(offset == 2);
  offset = 0;
  CHECK(next_character("\xE6\x97", offset) == kInvalidCharacter);
  CHECK(offset == 1);
  std::string text;
  CHECK(append_character(text, 0x1F600));
  CHECK(text == "😀");
  CHECK_FALSE(append_character(text, 0xD800));
  CHECK_FALSE(append_character(text, 0x110000));
}

TEST_CASE("utf8: letter case as Ruby's") {
  CHECK(upcase("straße ŉ éß") == "STRASSE ʼN ÉSS");
  CHECK(downcase("ÄΑΣİ") == "äασi̇");
  CHECK(capitalize("ǆABC") == "ǅabc");
  CHECK(capitalize("ÉCOLE") == "École");
  CHECK(capitalize("") == "");
  CHECK(swapcase("aBcÉ") == "AbCé");
  CHECK(upcase("a\xff") == "A\xff");
}

TEST_CASE("utf8: blanks and widths") {
  CHECK(is_blank(' '));
  CHECK(is_blank('\t'));
  CHECK(is_blank(0x3000));
  CHECK_FALSE(is_blank('\n'));
  CHECK(is_space('\n'));
  CHECK(display_width('a') == 1);
  CHECK(display_width(0x65E5) == 2);
  CHECK(display_width(0x1F600) == 2);
  CHECK(display_width(0x301) == 0);
}
