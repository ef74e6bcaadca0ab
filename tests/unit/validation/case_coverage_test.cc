// Every diagnostic of the registry is caused by a file case, whose expectation shows its message.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/diagnostics/diagnostic.h"
#include "diagnostic_message.h"
#include "test_directory.h"

namespace bunraku {
namespace {

std::vector<std::string> expectations() {
  std::vector<std::string> lines;
  const std::filesystem::path cases = test_directory() / "cases";
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

// Returns whether the diagnostic is caused by a signal, full memory or an endless evaluation, or
// cannot be caused by any input.
bool cannot_be_shown(Issue issue) {
  constexpr Issue kOthers[] = {Issue::kInterrupted, Issue::kOutOfMemory, Issue::kNoEnvironment,
                               Issue::kUnexpectedExpression, Issue::kCancelled};
  return std::ranges::find(kOthers, issue) != std::end(kOthers);
}

TEST_CASE("every diagnostic is shown by a file case") {
  const std::vector<std::string> lines = expectations();
  REQUIRE(lines.size() > 500);
  for (size_t i = 0; i < issue_count(); ++i) {
    const auto issue = static_cast<Issue>(i);
    const std::vector<std::string> parts = fixed_parts(info(issue).message);
    // A message that is only an argument cannot be recognised, and of several lines a case shows
    // one at a time.
    const bool is_plain = std::ranges::all_of(
        parts, [](const auto& part) { return part.find_first_not_of("'. ") == std::string::npos; });
    const bool has_lines = info(issue).message.find('\n') != std::string_view::npos;
    if (is_plain || has_lines || cannot_be_shown(issue)) continue;
    const bool is_shown =
        std::ranges::any_of(lines, [&parts](const auto& line) { return shows(line, parts); });
    CAPTURE(code(issue));
    CAPTURE(info(issue).message);
    CHECK(is_shown);
  }
}

}  // namespace
}  // namespace bunraku
