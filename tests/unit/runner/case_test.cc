#include "runner/case.h"

#include <doctest/doctest.h>

#include <stdexcept>

using bunraku::cases::PartedFile;

TEST_CASE("settings are words, the last of a name holds and all are kept") {
  bunraku::cases::Settings settings;
  settings.read(" product=eval set=strict=off set='a=b c' ");
  CHECK(settings.get("product") == "eval");
  CHECK(settings.get("set") == "a=b c");
  CHECK(settings.all("set").size() == 2);
  CHECK(settings.get("node", "x") == "x");
  CHECK_THROWS_AS(settings.read("alone"), std::runtime_error);
  CHECK_THROWS_AS(settings.read("a='b"), std::runtime_error);
}

TEST_CASE("a file of many cases") {
  const char* text =
      "# case: product=eval\n"
      "\n"
      "--- adding\n"
      "1 + 2\n"
      "=> 3\n"
      "\n"
      "---\n"
      "# case: set=strict=off\n"
      "{ a\n"
      "  => 1 }\n"
      "=>\n"
      "first\n"
      "second\n";
  PartedFile file = PartedFile::parse(text, bunraku::cases::Settings());
  REQUIRE(file.parts.size() == 2);
  CHECK(file.parts[0].title == "adding");
  CHECK(file.parts[0].line == 3);
  CHECK(file.parts[0].code == "1 + 2");
  CHECK(file.parts[0].expected == "3");
  CHECK(file.parts[0].settings.get("product") == "eval");
  CHECK(file.parts[1].code == "{ a\n  => 1 }");
  CHECK(file.parts[1].expected == "first\nsecond");
  CHECK(file.parts[1].settings.get("set") == "strict=off");
  CHECK(file.parts[1].settings.get("product") == "eval");
  CHECK(file.text() == text);
}
