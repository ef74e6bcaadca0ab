// Ini files.
#include "apply/providers/yumrepo/ini_file.h"

#include <doctest/doctest.h>

#include "apply/transaction/failure.h"

namespace bunraku::apply {
namespace {

TEST_CASE("what is not changed stays as it is") {
  const std::string text =
      "# top\n\n[one]\nname=One\n; inside\nbaseurl=http://a\n\n[two]\nname=Two\n";
  IniFile file("/f");
  file.parse(text);
  CHECK(file.text() == text);
  CHECK(file.sections().size() == 2);
  CHECK(*file.find("one")->find("baseurl") == "http://a");
  CHECK(file.find("three") == nullptr);
}

TEST_CASE("values are set, left out and added") {
  IniFile file("/f");
  file.parse("[one]\nname = One \nenabled=1\n");
  IniSection& section = *file.find("one");
  CHECK(!section.is_changed());
  section.set("enabled", "0");
  section.set("name", std::nullopt);
  section.set("new", "x");
  CHECK(section.is_changed());
  CHECK(file.text() == "[one]\nenabled=0\nnew=x\n");
  CHECK(section.find("name") == nullptr);
  CHECK(section.values().size() == 2);
  section.destroy();
  CHECK(file.text().empty());
}

TEST_CASE("lines that go on") {
  IniFile file("/f");
  file.parse("[one]\nbaseurl=http://a\n   http://b\n");
  CHECK(*file.find("one")->find("baseurl") == "http://a\n   http://b");
}

TEST_CASE("what is no such file") {
  IniFile file("/f");
  CHECK_THROWS_AS(file.parse("name=x\n"), Failure);
  CHECK_THROWS_AS(file.parse("[one]\nnonsense\n"), Failure);
  CHECK_THROWS_AS(file.parse("[one]\n[one]\n"), Failure);
}

}  // namespace
}  // namespace bunraku::apply
