// Every diagnostic of the registry is brought about by a file case, whose expectation shows its
// message.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "support/diagnostic.h"

namespace bunraku {
namespace {

// Still without a case. A new diagnostic gets one; one that has got a case leaves the list.
constexpr std::array kWithoutCase = {
    // No test holds a text of 4 GB.
    Issue::kFileTooLarge,
    // To be written.
    Issue::kIllegalEvaluation,
    Issue::kSerializationDefaultConvertedToString,
    Issue::kSerializationUnknownConvertedToString,
    Issue::kSerializationUnknownKeyConvertedToString,
    Issue::kSerializationEndlessRecursion,
    Issue::kBadHashSliceArity,
    Issue::kBadSliceKeyType,
    Issue::kBadStringSliceType,
    Issue::kIllegalTypeSpecialization,
    Issue::kCatalogOperationNotSupportedWhenScripting,
    Issue::kResourceStatementError,
    Issue::kHieraVersion3NotGlobal,
    Issue::kHieraUnsupportedVersionInGlobal,
    Issue::kHieraBackendMultiplyDefined,
    Issue::kHieraNoProviderForBackend,
    Issue::kHieraHierarchyNameMultiplyDefined,
    Issue::kHieraV3BackendNotGlobal,
    Issue::kHieraDefaultHierarchyNotInModule,
    Issue::kHieraV3BackendReplacedByDataHash,
    Issue::kHieraMissingDataProviderFunction,
    Issue::kHieraMultipleDataProviderFunctions,
    Issue::kHieraMultipleDataProviderFunctionsInDefault,
    Issue::kHieraMultipleLocationSpecs,
    Issue::kHieraOptionReservedByPuppet,
    Issue::kHieraDefaultOptionReservedByPuppet,
    Issue::kHieraDataProviderFunctionNotFound,
    Issue::kHieraInterpolationUnknownInterpolationMethod,
    Issue::kHieraInterpolationMethodSyntaxNotAllowed,
    Issue::kNotSupportedYet,
    Issue::kUnreadableSettings,
    Issue::kUnknownEnvironment,
    Issue::kRubyUnavailable,
    Issue::kRubyTimeout,
    Issue::kRubyDied,

};

// What is fixed in a message; its arguments stand between.
std::vector<std::string> fixed_parts(std::string_view message) {
  std::vector<std::string> parts(1);
  for (size_t i = 0; i < message.size(); ++i) {
    const bool is_argument = message[i] == '{' && i + 2 < message.size() && message[i + 2] == '}' &&
                             message[i + 1] >= '0' && message[i + 1] <= '9';
    if (is_argument) {
      parts.emplace_back();
      i += 2;
    } else {
      parts.back() += message[i];
    }
  }
  return parts;
}

// Whether the parts stand in the line in their order.
bool shows(std::string_view line, const std::vector<std::string>& parts) {
  size_t at = 0;
  for (const std::string& part : parts) {
    at = line.find(part, at);
    if (at == std::string_view::npos) return false;
    at += part.size();
  }
  return true;
}

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
    const bool is_listed =
        std::find(kWithoutCase.begin(), kWithoutCase.end(), issue) != kWithoutCase.end();
    CAPTURE(code(issue));
    CAPTURE(info(issue).message);
    CHECK((is_shown || is_listed));
    WARN_FALSE((is_shown && is_listed));
  }
}

}  // namespace
}  // namespace bunraku
