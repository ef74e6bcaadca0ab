// state.yaml: the usual form, read and written without libyaml, must mean the same.
#include "apply/transaction/state_file.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "apply/transaction/context.h"
#include "base/system/file_system.h"
#include "no_log.h"

namespace bunraku::apply {
namespace {

// The text that is written after this text was read.
std::string written_again(const std::string& text, int64_t ttl = 0) {
  std::string directory = (std::filesystem::temp_directory_path() / "state-XXXXXX").string();
  REQUIRE(mkdtemp(directory.data()) != nullptr);
  const std::string path = directory + "/state.yaml";
  write_file(path, text);
  StateFile state;
  state.read(path);
  NoLog sink;
  RunLog log(sink);
  state.store(path, ttl, log);
  std::string written = read_file(path);
  std::filesystem::remove_all(directory);
  return written;
}

constexpr std::string_view kTime = "2026-11-22 20:22:13.540828813 +00:00";

TEST_CASE("entries of a state file stay as they are, usual and unusual ones") {
  const std::string checked = "  :checked: " + std::string(kTime) + "\n";
  for (const std::string& name :
       {std::string("File[/etc/motd]"), std::string("Class[Main]"),
        std::string("Foo::Bar[a-b.c@d]"), std::string("Exec[/bin/sh -c 'a']"),
        std::string("\"File[/a: b]\""), std::string("\"File[/a #b]\""),
        "File[/" + std::string(200, 'x') + "]",
        std::string("? \"File[") + std::string(140, 'y') + "]\"\n"}) {
    const bool is_long = name.ends_with('\n');
    const std::string entry =
        is_long ? name + ": :checked: " + std::string(kTime) + "\n" : name + ":\n" + checked;
    const std::string text = "---\n" + entry + "File[/other]:\n" + checked;
    CAPTURE(text);
    const std::string again = written_again(text);
    CHECK(written_again(again) == again);
    CHECK(again.find("File[/other]:\n" + checked) != std::string::npos);
    if (name.size() < 100) CHECK(again.find(checked) < again.find("File[/other]"));
  }
}

TEST_CASE("audited values are kept beside moments") {
  const std::string text = "---\nFile[/a]:\n  :checked: " + std::string(kTime) +
                           "\n  :owner: 0\n  :mode: '644'\n  :list:\n  - a\n  - b\nFile[/b]:\n"
                           "  :checked: " +
                           std::string(kTime) + "\nFile[/c]: {}\n";
  CHECK(written_again(text) == text);
}

TEST_CASE("the last one of entries with the same name counts, and aliases are followed") {
  const std::string moment(kTime);
  const std::string twice = written_again(
      "---\nFile[/a]:\n  :checked: 2026-01-01 00:00:00.000000000 +00:00\n"
      "File[/a]:\n  :checked: " +
      moment + "\n");
  CHECK(twice.find(moment) != std::string::npos);
  const std::string aliased =
      written_again("---\nFile[/a]:\n  :mode: &1 '755'\nFile[/b]:\n  :mode: *1\n");
  CHECK(aliased == "---\nFile[/a]:\n  :mode: '755'\nFile[/b]:\n  :mode: '755'\n");
}

TEST_CASE("moments in other forms mean the same") {
  CHECK(written_again("---\nFile[/a]:\n  :checked: 2026-11-22 21:22:13.540828813 +01:00\n") ==
        "---\nFile[/a]:\n  :checked: " + std::string(kTime) + "\n");
  CHECK(parse_time("2026-13-22 20:22:13.540828813 +00:00") == -1);
  CHECK(parse_time(yaml_time(1)) == 1);
  CHECK(yaml_time(parse_time(kTime)) == kTime);
  CHECK(iso_time(parse_time(kTime)) == "2026-11-22T20:22:13.540828813+00:00");
  CHECK(parse_time("2024-02-29 00:00:00.000000000 +00:00") -
            parse_time("2024-02-28T00:00:00.0+00:00") ==
        int64_t{86'400} * 1'000'000'000);
}

TEST_CASE("old entries go, and an empty file stays a mapping") {
  CHECK(written_again("---\nFile[/a]:\n  :checked: 2001-01-01 00:00:00.000000000 +00:00\n", 60) ==
        "--- {}\n");
  CHECK(written_again("--- {}\n") == "--- {}\n");
}

}  // namespace
}  // namespace bunraku::apply
