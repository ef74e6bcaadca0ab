// The examples of diagnostics of evaluation and catalogs: the wrong one causes the diagnostic, the
// right one compiles without messages. tests/unit/validation checks those of syntax.
#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "base/diagnostics/diagnostic_explanation.h"
#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "run_program.h"

namespace bunraku {
namespace {

bool belongs_to_compiling(Issue issue) {
  return info(issue).number >= 2000 && info(issue).number < 4000;
}

// Returns whether the diagnostic's examples are files or command lines, or no example can cause it.
bool needs_more_than_code(Issue issue) {
  constexpr Issue kOthers[] = {Issue::kRuntimeError,
                               Issue::kInvalidRichData,
                               Issue::kTemplateFailed,
                               Issue::kCallOfTemplateFailed,
                               Issue::kFeatureOnlyWhenCompiling,
                               Issue::kNoEnvironment,
                               Issue::kInterrupted,
                               Issue::kOutOfMemory,
                               Issue::kUnexpectedExpression,
                               Issue::kWrongContent,
                               Issue::kUnmatchedTitle,
                               Issue::kForbiddenManifest,
                               Issue::kNotEvaluable,
                               Issue::kUnusableAttribute,
                               Issue::kFileMetadataFailed,
                               Issue::kNoCommonChecksum,
                               Issue::kMissingMetadata,
                               Issue::kUnusableType,
                               Issue::kNodeSearchFailed,
                               Issue::kUnknownNode,
                               Issue::kUnresolvedType,
                               Issue::kNotIterable,
                               Issue::kUnrepresentable,
                               Issue::kValidationFailed,
                               Issue::kPrivateCode,
                               Issue::kMissingDataItem,
                               Issue::kDataFunctionMisused,
                               Issue::kNoApplyExecutor,
                               Issue::kUnusableTemplate,
                               Issue::kReassignedVariable};
  return std::ranges::find(kOthers, issue) != std::end(kOthers);
}

bool wants_poor_data(Issue issue) {
  return issue == Issue::kSerializationDefaultConvertedToString ||
         issue == Issue::kSerializationUnknownConvertedToString ||
         issue == Issue::kSerializationUnknownKeyConvertedToString;
}

ProgramResult compile(std::string_view code, Issue about) {
  if (about == Issue::kCatalogOperationNotSupportedWhenScripting) {
    return run({"eval", "--script", "-e", std::string(code), "--log-format", "json"});
  }
  return run({"catalog", "compile", "node.example.com", "-e", std::string(code), "--log-format",
              "json", "--log-level", "warning", "--basemodulepath", "/usr/share/puppet/modules",
              "--set", wants_poor_data(about) ? "rich_data=false" : "rich_data=true"});
}

// The codes of all log records, with causes.
std::vector<std::string> codes_of(const ProgramResult& result) {
  std::vector<std::string> codes;
  const auto add = [&codes](const DataNode& node) {
    if (const DataNode* code = node.find("code")) codes.emplace_back(code->text_value());
  };
  std::string_view rest = result.log;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    Arena arena;
    const DataNode record = read_json(rest.substr(0, end), arena);
    add(record);
    if (const DataNode* causes = record.find("cause")) {
      for (const DataNode& cause : causes->items()) add(cause);
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return codes;
}

TEST_CASE("every diagnostic is explained, with examples") {
  for (size_t i = 0; i < issue_count(); ++i) {
    const auto issue = static_cast<Issue>(i);
    CAPTURE(code(issue));
    const Explanation* found = explanation(issue);
    REQUIRE(found != nullptr);
    CHECK(found->text.size() > 30);
    CHECK(!found->wrong.empty());
    CHECK(!found->right.empty());
  }
}

TEST_CASE("every diagnostic of compiling can be brought about and mended") {
  for (size_t i = 0; i < issue_count(); ++i) {
    const auto issue = static_cast<Issue>(i);
    const Explanation* found = explanation(issue);
    if (!belongs_to_compiling(issue) || needs_more_than_code(issue)) continue;
    REQUIRE(found != nullptr);
    CAPTURE(code(issue));
    CAPTURE(info(issue).message);
    const ProgramResult wrong = compile(found->wrong, issue);
    CAPTURE(wrong.log);
    const std::vector<std::string> codes = codes_of(wrong);
    CHECK(std::ranges::find(codes, code(issue)) != codes.end());
    const ProgramResult right = compile(found->right, issue);
    CHECK(right.exit_code == 0);
    CHECK(right.log.empty());
  }
}

}  // namespace
}  // namespace bunraku
