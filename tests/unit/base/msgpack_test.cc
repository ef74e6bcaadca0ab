#include "base/formats/msgpack.h"

#include <doctest/doctest.h>

#include <string>

#include "base/formats/json.h"
#include "base/memory/arena.h"

using namespace bunraku;

namespace {

std::string packed(std::string_view json) {
  Arena arena;
  return write_msgpack(read_json(json, arena));
}

std::string unpacked(std::string_view bytes) {
  Arena arena;
  std::string text;
  JsonWriter(text).data(read_msgpack(bytes, arena));
  return text;
}

}  // namespace

TEST_CASE("MessagePack: the shortest forms are written") {
  CHECK(packed("null") == "\xc0");
  CHECK(packed("true") == "\xc3");
  CHECK(packed("127") == "\x7f");
  CHECK(packed("128") == "\xcc\x80");
  CHECK(packed("256") == std::string("\xcd\x01\x00", 3));
  CHECK(packed("-32") == "\xe0");
  CHECK(packed("-33") == "\xd0\xdf");
  CHECK(packed("-129") == "\xd1\xff\x7f");
  CHECK(packed("4294967296") == std::string("\xcf\x00\x00\x00\x01\x00\x00\x00\x00", 9));
  CHECK(packed("1.5") == std::string("\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00", 9));
  CHECK(packed("\"a\"") == "\xa1\x61");
  CHECK(packed("[1,\"b\"]") == "\x92\x01\xa1\x62");
  CHECK(packed("{\"a\":null}") == "\x81\xa1\x61\xc0");
}

TEST_CASE("MessagePack: what is written is read again") {
  const std::string long_text(70'000, 'x');
  for (const std::string& json :
       {std::string("[0,-1,-128,-129,-32769,-2147483649,255,65535,65536,9223372036854775807]"),
        std::string("-9223372036854775808"), "\"" + long_text + "\"",
        "\"" + long_text.substr(0, 40) + "\"", "\"" + long_text.substr(0, 300) + "\"",
        std::string("{\"a\":{\"b\":[true,false,null,1.25]}}"),
        std::string("[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]")}) {
    CHECK(unpacked(packed(json)) == json);
  }
}

TEST_CASE("MessagePack: torn, deep and strange values are refused") {
  Arena arena;
  for (const std::string& bytes :
       {std::string(), std::string("\x92\x01"), std::string("\xdd\xff\xff\xff\xff"),
        std::string("\xdb\xff\xff\xff\xff"
                    "a"),
        std::string(200, '\x91') + "\x01", std::string("\xc0\xc0"), std::string("\xc1"),
        std::string("\x81\x01\x01"), std::string("\xd4\x01\x02")}) {
    CHECK_THROWS_AS(read_msgpack(bytes, arena), DataError);
  }
}
