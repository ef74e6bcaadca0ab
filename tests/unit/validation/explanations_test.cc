// Every diagnostic of syntax and validation is explained, is caused by its wrong example, and does
// not occur with the right one.
#include <doctest/doctest.h>

#include <algorithm>

#include "base/diagnostics/diagnostic_explanation.h"
#include "syntax/parser.h"
#include "validation/validate.h"

namespace bunraku {
namespace {

bool belongs_to_syntax(Issue issue) {
  return info(issue).number >= 1000 && info(issue).number < 1500;
}

bool is_about_templates(Issue issue) {
  return (info(issue).number >= 1200 && info(issue).number < 1300) ||
         issue == Issue::kIllegalEppParameters;
}

bool is_about_tasks(Issue issue) {
  return issue == Issue::kExpressionNotSupportedWhenScripting ||
         issue == Issue::kExpressionNotSupportedWhenCompiling;
}

bool is_about_modules(Issue issue) {
  return issue == Issue::kIllegalDefinitionLocation || issue == Issue::kIllegalTopConstructLocation;
}

std::vector<Diagnostic> problems_of(std::string_view code, Issue about) {
  auto source = std::make_shared<SourceFile>("/modules/my/manifests/sub.pp", std::string(code));
  ParseOptions options;
  options.form = is_about_templates(about) ? SourceForm::kTemplate : SourceForm::kManifest;
  options.tasks = is_about_tasks(about);
  DiagnosticList found;
  auto program = parse(source, options, found);
  ValidationSettings settings;
  settings.tasks = options.tasks;
  if (is_about_modules(about)) {
    const std::string module_path[] = {"/modules"};
    settings.location = locate_in_modules(source->path(), module_path, "");
  }
  if (!found.has_errors()) validate(*program, settings, found);
  return std::move(found.all);
}

TEST_CASE("every diagnostic of syntax and validation can be brought about and mended") {
  for (size_t i = 0; i < issue_count(); ++i) {
    auto issue = static_cast<Issue>(i);
    if (!belongs_to_syntax(issue)) continue;
    CAPTURE(code(issue));
    CAPTURE(info(issue).message);
    const Explanation* found = explanation(issue);
    CHECK(found != nullptr);
    if (found == nullptr) continue;
    CHECK(found->text.size() > 30);
    auto wrong = problems_of(found->wrong, issue);
    CHECK(std::ranges::any_of(
        wrong, [issue](const Diagnostic& problem) { return problem.issue == issue; }));
    auto right = problems_of(found->right, issue);
    CHECK_MESSAGE(right.empty(), (right.empty() ? std::string() : right.front().message()));
  }
}

}  // namespace
}  // namespace bunraku
