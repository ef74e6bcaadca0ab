// Every diagnostic of the registry is brought about by a file case, whose expectation shows its
// message.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "diagnostic_message.h"
#include "base/diagnostics/diagnostic.h"

namespace bunraku {
namespace {

std::vector<std::string> expectations() {
  std::vector<std::string> lines;
  const std::filesystem::path cases = std::filesystem::path(UNIT_TEST_FOLDER) / ".." / "cases";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(cases)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".cases" && extension != ".out" && extension != ".err") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    for (std::string line; std::getline(file, line);) {
      if (line.find("error") != std::string::npos || line.find("warning") != std::string::npos ||
          line.find("Error") != std::string::npos ||
          line.find("deprecation") != std::string::npos ||
          line.find("Warning") != std::string::npos) {
        lines.push_back(std::move(line));
      }
    }
  }
  return lines;
}

TEST_CASE("every diagnostic is shown by a file case") {
  const std::vector<std::string> lines = expectations();
  REQUIRE(lines.size() > 500);
  for (size_t i = 0; i < issue_count(); ++i) {
    const auto issue = static_cast<Issue>(i);
    const std::vector<std::string> parts = fixed_parts(info(issue).message);
    // Messages that are all argument are told apart by nothing.
    if (std::all_of(parts.begin(), parts.end(), [](const auto& part) { return part.empty(); })) {
      continue;
    }
    const bool is_shown = std::any_of(lines.begin(), lines.end(),
                                      [&parts](const auto& line) { return shows(line, parts); });
    CAPTURE(code(issue));
    CAPTURE(info(issue).message);
    CHECK(is_shown);
  }
}

}  // namespace
}  // namespace bunraku
