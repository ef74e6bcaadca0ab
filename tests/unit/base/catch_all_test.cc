// Every error has a code of its own: the codes whose message is any text of Ruby code are used only
// where such code runs.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "test_directory.h"

namespace bunraku {
namespace {

bool is_source(const std::filesystem::path& path) {
  return path.extension() == ".cc" || path.extension() == ".h";
}

std::string text_of(const std::filesystem::path& path) {
  const std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST_CASE("the codes for errors of Ruby code are raised by the room that runs it alone") {
  const std::filesystem::path sources = bunraku::test_directory() / "../src";
  size_t seen = 0, uses = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(sources)) {
    if (!is_source(entry.path())) continue;
    ++seen;
    const std::string text = text_of(entry.path());
    const bool is_used = text.find("Issue::kRuntimeError") != std::string::npos ||
                         text.find("Issue::kRubyError") != std::string::npos;
    if (!is_used) continue;
    ++uses;
    CAPTURE(entry.path().string());
    CHECK(entry.path().string().find("src/ruby/worker/") != std::string::npos);
  }
  CHECK(seen > 300);
  CHECK(uses > 0);
}

}  // namespace
}  // namespace bunraku
