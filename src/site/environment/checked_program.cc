#include "site/environment/checked_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/diagnostics/log.h"

namespace bunraku {
namespace {

bool is_error(const Diagnostic& diagnostic) {
  return diagnostic.severity == Severity::kError;
}

void log_some(std::span<const Diagnostic> all, Severity severity, size_t most, LogSink* log) {
  if (log == nullptr) return;
  size_t count = 0;
  for (const Diagnostic& diagnostic : all) {
    if (is_lexer_warning(diagnostic) || diagnostic.severity != severity) continue;
    if (count++ < most) log->log(log_record(diagnostic));
  }
}

void log_lexer_warnings(const std::vector<Diagnostic>& all, LogSink* log) {
  if (log == nullptr) return;
  for (const Diagnostic& diagnostic : all) {
    if (is_lexer_warning(diagnostic)) log->log(log_record(diagnostic));
  }
}

size_t count(const std::vector<Diagnostic>& all, bool errors) {
  size_t number = 0;
  for (const Diagnostic& diagnostic : all) {
    if (is_lexer_warning(diagnostic) || diagnostic.severity == Severity::kIgnore) continue;
    if (is_error(diagnostic) == errors) ++number;
  }
  return number;
}

}  // namespace

bool is_lexer_warning(const Diagnostic& diagnostic) {
  return diagnostic.severity == Severity::kWarning &&
         (diagnostic.issue == Issue::kUnrecognizedEscape ||
          diagnostic.issue == Issue::kIllegalUnicodeEscape);
}

const ProgramPointer& checked_program(const ParsedFile& file, const ProblemLimits& limits,
                                      LogSink* log, bool is_initial) {
  const ErrorKind kind = is_initial ? ErrorKind::kSyntax : ErrorKind::kError;
  const std::vector<Diagnostic>& all = file.diagnostics;
  log_lexer_warnings(all, log);
  log_some(all, Severity::kDeprecation, limits.deprecations, log);
  log_some(all, Severity::kWarning, limits.warnings, log);
  if (!file.has_errors) return file.program;

  const size_t errors = count(all, true);
  const auto found = std::ranges::find_if(all, is_error);
  const Diagnostic& first = *found;
  if (file.has_syntax_errors && limits.errors > 1) {
    log_some({found + 1, all.end()}, Severity::kError, limits.errors - 1, log);
    throw EvaluationError(first, kind);
  }
  if (errors == 1 || limits.errors <= 1) throw EvaluationError(first, kind);
  log_some(all, Severity::kError, limits.errors, log);
  Range range = first.primary;
  range.is_whole_file = true;
  throw EvaluationError(make_diagnostic(Issue::kSeveralMistakes, std::move(range),
                                        {giving_up_text(errors, count(all, false))}),
                        kind);
}

std::string giving_up_text(size_t errors, size_t warnings) {
  std::string text = fmt::format("Language validation logged {} errors", errors);
  if (warnings > 0) text += fmt::format(", and {} warnings", warnings);
  return text + ". Giving up";
}

}  // namespace bunraku
