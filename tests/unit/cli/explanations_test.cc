// The examples of the diagnostics of evaluation and catalogs: the wrong one brings the diagnostic
// about, the right one compiles in silence. Those of syntax are tried in tests/unit/validation.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "diagnostic_message.h"
#include "run_program.h"
#include "base/memory/arena.h"
#include "base/diagnostics/diagnostic_explanation.h"
#include "base/formats/json.h"

namespace bunraku {
namespace {

bool belongs_to_compiling(Issue issue) {
  return (info(issue).number >= 2000 && info(issue).number < 4000) || issue == Issue::kLookupFailed;
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
              "json", "--log-level", "warning", "--set",
              wants_poor_data(about) ? "rich_data=false" : "rich_data=true"});
}

std::vector<std::string> messages_of(const ProgramResult& result) {
  std::vector<std::string> messages;
  std::string_view rest = result.log;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    Arena arena;
    const DataNode record = read_json(rest.substr(0, end), arena);
    if (const DataNode* message = record.find("message"))
      messages.emplace_back(message->text_value());
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return messages;
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
    if (!belongs_to_compiling(issue) || found == nullptr) continue;
    CAPTURE(code(issue));
    CAPTURE(info(issue).message);
    const ProgramResult wrong = compile(found->wrong, issue);
    CAPTURE(wrong.log);
    const std::vector<std::string> parts = fixed_parts(info(issue).message);
    const std::vector<std::string> messages = messages_of(wrong);
    CHECK(std::any_of(messages.begin(), messages.end(),
                      [&](const std::string& message) { return shows(message, parts); }));
    const ProgramResult right = compile(found->right, issue);
    CHECK(right.exit_code == 0);
    CHECK(right.log.empty());
  }
}

}  // namespace
}  // namespace bunraku
