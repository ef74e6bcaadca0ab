#include "base/diagnostics/diagnostic.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <ranges>

#include "base/diagnostics/diagnostic_renderer.h"

namespace bunraku {
namespace {

constexpr std::string_view kCause = "{cause}";
constexpr std::string_view kCauseWithPlace = "{cause at}";
// The limit of shown steps; only those nearest to the error are kept.
constexpr size_t kMostSteps = 8;

constexpr IssueInfo info_of(uint16_t number, std::string_view issue_code, Severity severity,
                            std::string_view message) {
  const bool has_cause = message.find("{cause") != std::string_view::npos;
  const bool is_raised =
      issue_code == "RUNTIME_ERROR" && !message.starts_with("Error while evaluating");
  return {number, issue_code, severity, message, has_cause, is_raised};
}

constexpr IssueInfo kRegistry[] = {
#define DIAGNOSTIC(number, identifier, issue_code, severity, message) \
  info_of(number, issue_code, Severity::severity, message),
#include "base/diagnostics/diagnostics.def"
#undef DIAGNOSTIC
};

bool has_place(const Diagnostic& diagnostic) {
  return diagnostic.primary.file != nullptr;
}

// The message of a diagnostic without the message of its cause.
std::string own_words(const Diagnostic& diagnostic) {
  Diagnostic alone = diagnostic;
  alone.cause = nullptr;
  std::string text = alone.message();
  text.erase(text.find_last_not_of(" :,-\n") + 1);
  return text;
}

bool is_same(const Range& a, const Range& b) {
  return a.file == b.file && a.location.offset == b.location.offset;
}

void add_step(Diagnostic& whole, const Diagnostic& step) {
  // The place already shows the kind of expression that the message names.
  if (step.issue == Issue::kErrorWhileEvaluating) return;
  const bool is_declaration = step.issue == Issue::kResourceStatementError;
  std::string text = is_declaration ? "declared here" : own_words(step);
  // A label has only one line; further lines name places and the cause.
  if (const size_t end = text.find('\n'); end != text.npos) {
    text.resize(end);
    while (text.ends_with(':')) text.pop_back();
  }
  if (text.empty()) return;
  if (has_place(step) && !is_same(step.primary, whole.primary)) {
    whole.labels.push_back({step.primary, std::move(text)});
  } else if (!is_declaration) {
    whole.notes.push_back(std::move(text));
  }
}

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
  // Only {0} to {9} and the cause are replaced, so that messages may contain braces.
  const std::string_view pattern = info(issue).message;
  std::string text;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (info(issue).has_cause && pattern.substr(i).starts_with("{cause")) {
      const bool is_with_place = pattern.substr(i).starts_with(kCauseWithPlace);
      if (cause != nullptr) text += is_with_place ? one_line(*cause) : cause->message();
      i += (is_with_place ? kCauseWithPlace : kCause).size() - 1;
      continue;
    }
    const bool is_argument = pattern[i] == '{' && i + 2 < pattern.size() && pattern[i + 2] == '}' &&
                             pattern[i + 1] >= '0' && pattern[i + 1] <= '9';
    if (!is_argument) {
      text += pattern[i];
      continue;
    }
    const size_t number = static_cast<size_t>(pattern[i + 1] - '0');
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

Diagnostic make_diagnostic(Issue issue, Range primary, std::vector<std::string> arguments,
                           Diagnostic cause) {
  Diagnostic diagnostic = make_diagnostic(issue, std::move(primary), std::move(arguments));
  diagnostic.cause = std::make_shared<const Diagnostic>(std::move(cause));
  return diagnostic;
}

const Diagnostic& root_cause(const Diagnostic& diagnostic) {
  const Diagnostic* root = &diagnostic;
  while (root->cause != nullptr) root = root->cause.get();
  return *root;
}

Diagnostic flattened(const Diagnostic& diagnostic) {
  std::vector<const Diagnostic*> chain;  // outermost first
  for (const Diagnostic* link = &diagnostic; link != nullptr; link = link->cause.get()) {
    chain.push_back(link);
  }
  Diagnostic whole = *chain.back();
  const auto innermost = std::ranges::find_if(
      std::ranges::reverse_view(chain), [](const Diagnostic* link) { return has_place(*link); });
  if (innermost != chain.rend()) whole.primary = (*innermost)->primary;
  chain.pop_back();
  std::ranges::reverse(chain);
  for (size_t i = 0; i < chain.size(); ++i) {
    const Diagnostic& link = *chain[i];
    whole.labels.insert(whole.labels.end(), link.labels.begin(), link.labels.end());
    whole.notes.insert(whole.notes.end(), link.notes.begin(), link.notes.end());
    whole.fixes.insert(whole.fixes.end(), link.fixes.begin(), link.fixes.end());
    if (i < kMostSteps) add_step(whole, link);
  }
  return whole;
}

std::string_view reference_code(const Diagnostic& diagnostic, ErrorKind kind) {
  const IssueInfo& issue = info(diagnostic.issue);
  const bool is_bare = issue.is_raised && (!has_place(diagnostic) || kind == ErrorKind::kError);
  return is_bare ? std::string_view() : issue.issue_code;
}

EvaluationError::EvaluationError(Diagnostic diagnostic, ErrorKind kind)
    : diagnostic_(std::make_shared<Diagnostic>(std::move(diagnostic))),
      what_(std::make_shared<std::string>(diagnostic_->message())),
      kind_(kind) {}

const char* EvaluationError::what() const noexcept {
  return what_->c_str();
}

bool DiagnosticList::has_errors() const {
  return std::ranges::any_of(all,
                             [](const Diagnostic& d) { return d.severity == Severity::kError; });
}

}  // namespace bunraku
