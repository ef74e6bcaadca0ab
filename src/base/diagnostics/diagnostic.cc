#include "base/diagnostics/diagnostic.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

namespace bunraku {
namespace {

constexpr IssueInfo kRegistry[] = {
#define DIAGNOSTIC(number, identifier, issue_code, severity, message) \
  {number, issue_code, Severity::severity, message},
#include "base/diagnostics/diagnostics.def"
#undef DIAGNOSTIC
};

}  // namespace

const IssueInfo& info(Issue issue) {
  return kRegistry[static_cast<size_t>(issue)];
}

size_t issue_count() {
  return std::size(kRegistry);
}

std::string code(Issue issue) {
  return fmt::format("BK{:04}", info(issue).number);
}

std::string Diagnostic::message() const {
  // Only {0} to {9} mean something, so that messages may hold braces of their own.
  std::string_view pattern = info(issue).message;
  std::string text;
  for (size_t i = 0; i < pattern.size(); ++i) {
    bool is_argument = pattern[i] == '{' && i + 2 < pattern.size() && pattern[i + 2] == '}' &&
                       pattern[i + 1] >= '0' && pattern[i + 1] <= '9';
    if (!is_argument) {
      text += pattern[i];
      continue;
    }
    size_t number = static_cast<size_t>(pattern[i + 1] - '0');
    if (number < arguments.size()) text += arguments[number];
    i += 2;
  }
  return text;
}

Diagnostic make_diagnostic(Issue issue, Range primary, std::vector<std::string> arguments) {
  Diagnostic diagnostic{
      issue, info(issue).severity, std::move(primary), std::move(arguments), {}, {}, {}};
  return diagnostic;
}

EvaluationError::EvaluationError(Diagnostic diagnostic, ErrorKind kind)
    : diagnostic_(std::make_shared<Diagnostic>(std::move(diagnostic))),
      what_(std::make_shared<std::string>(diagnostic_->message())),
      kind_(kind) {}

const char* EvaluationError::what() const noexcept {
  return what_->c_str();
}

bool DiagnosticList::has_errors() const {
  return std::any_of(all.begin(), all.end(),
                     [](const Diagnostic& d) { return d.severity == Severity::kError; });
}

}  // namespace bunraku
