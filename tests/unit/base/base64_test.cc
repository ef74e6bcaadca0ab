#include "base/text/base64.h"

#include <doctest/doctest.h>

using namespace bunraku;

TEST_CASE("base64: encoding") {
  CHECK(encode_base64("") == "");
  CHECK(encode_base64("a") == "YQ==");
  CHECK(encode_base64("ab") == "YWI=");
  CHECK(encode_base64("abc") == "YWJj");
  CHECK(encode_base64_url("\xfb\xff") == "-_8=");
  CHECK(encode_base64_lines(std::string(46, 'a')) ==
        "YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFh\nYQ==\n");
}

TEST_CASE("base64: decoding") {
  CHECK(decode_base64("YWI=") == "ab");
  CHECK_FALSE(decode_base64("YWI"));
  CHECK_FALSE(decode_base64("YW\nI="));
  CHECK_FALSE(decode_base64("YWJ="));
  CHECK_FALSE(decode_base64("===="));
  CHECK(decode_base64_leniently("Y W\nI=xx") == "ab");
  CHECK(decode_base64_leniently("YWI") == "ab");
}
