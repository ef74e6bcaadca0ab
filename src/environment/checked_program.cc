#include "environment/checked_program.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/log.h"

namespace bunraku {

const ProgramPointer& checked_program(const ParsedFile& file, LogSink* log, bool is_initial) {
  const ErrorKind kind = is_initial ? ErrorKind::kSyntax : ErrorKind::kError;
  const auto is_error = [](const Diagnostic& diagnostic) {
    return diagnostic.severity == Severity::kError;
  };
  if (log != nullptr) {
    for (const Diagnostic& diagnostic : file.diagnostics) {
      if (!is_error(diagnostic)) log->log(log_record(diagnostic));
    }
  }
  if (!file.has_errors) return file.program;
  const auto& all = file.diagnostics;
  const auto count = std::count_if(all.begin(), all.end(), is_error);
  if (count == 1) throw EvaluationError(*std::find_if(all.begin(), all.end(), is_error), kind);
  if (log != nullptr) {
    for (const Diagnostic& diagnostic : all) {
      if (is_error(diagnostic)) log->log(log_record(diagnostic));
    }
  }
  throw EvaluationError(
      make_diagnostic(Issue::kRuntimeError, Range{},
                      {fmt::format("Language validation logged {} errors. Giving up", count)}),
      kind);
}

}  // namespace bunraku
