// Every built-in function and every kind of type has a case file of its name, and the example of
// every function is a case of its own, so that its result is checked.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "base/text/utf8.h"
#include "functions/core/registry.h"
#include "test_directory.h"
#include "values/type.h"

namespace bunraku {
namespace {

const std::filesystem::path kCases = bunraku::test_directory() / "cases";

std::string contents(const std::filesystem::path& path) {
  const std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Returns whether a file has cases with expectations.
bool has_cases(const std::filesystem::path& path) {
  const std::string text = contents(path);
  return text.find("---") != text.npos && text.find("\n=>") != text.npos;
}

TEST_CASE("every built-in function has a case file of its name") {
  for (const NativeFunctionInfo* function : builtin_functions()) {
    CAPTURE(function->name);
    CHECK(has_cases(kCases / "functions" / (std::string(function->name) + ".cases")));
  }
}

TEST_CASE("every kind of type has a case file of its name") {
  constexpr auto kLast = static_cast<int>(TypeKind::kTypeReference);
  for (int kind = 0; kind <= kLast; ++kind) {
    const std::string_view name = name_of(static_cast<TypeKind>(kind));
    CAPTURE(name);
    CHECK(has_cases(kCases / "types" / (downcase(name) + ".cases")));
  }
  for (std::string name : {"deferred", "error", "data", "richdata"}) {
    CAPTURE(name);
    CHECK(has_cases(kCases / "types" / (name + ".cases")));
  }
}

TEST_CASE("the example of every built-in function is a case") {
  const std::string examples = contents(kCases / "functions" / "examples.cases");
  for (const NativeFunctionInfo* function : builtin_functions()) {
    CAPTURE(function->name);
    CAPTURE(function->example);
    const std::string example = "\n" + std::string(function->example) + "\n=>";
    CHECK(examples.find(example) != examples.npos);
  }
}

}  // namespace
}  // namespace bunraku
