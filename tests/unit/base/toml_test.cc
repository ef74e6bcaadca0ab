#include <doctest/doctest.h>

#include <string>

#include "base/formats/json.h"
#include "base/formats/toml.h"
#include "base/memory/arena.h"

namespace bunraku {
namespace {

std::string as_json(std::string_view text) {
  Arena arena;
  std::string json;
  JsonWriter(json).data(read_toml(text, arena));
  return json;
}

}  // namespace

TEST_CASE("TOML is read as plain data") {
  CHECK(as_json("") == "{}");
  CHECK(as_json("a = 1\nb = -1.5\nc = true\nd = 'x'\n") == R"({"a":1,"b":-1.5,"c":true,"d":"x"})");
  CHECK(as_json("[t]\nlist = [1, [\"a\"]]\nu.v = {w = \"\\u00e9\"}\n") ==
        R"({"t":{"list":[1,["a"]],"u":{"v":{"w":"é"}}}})");
}

TEST_CASE("mistakes in TOML have their place") {
  Arena arena;
  try {
    read_toml("a = 1\nb = ]\n", arena);
    FAIL("it was read");
  } catch (const DataError& error) {
    CHECK(error.line() == 2);
    CHECK(error.column() > 0);
  }
  CHECK_THROWS_AS(read_toml("a = 1979-05-27\n", arena), DataError);
  CHECK_THROWS_AS(read_toml("a = 1\na = 2\n", arena), DataError);
}

}  // namespace bunraku
