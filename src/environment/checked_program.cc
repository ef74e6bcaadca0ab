#include "environment/checked_program.h"

namespace bunraku {

const ProgramPointer& checked_program(const ParsedFile& file, LogSink* log) {
  (void)log;
  if (!file.has_errors) return file.program;
  for (const Diagnostic& diagnostic : file.diagnostics) {
    if (diagnostic.severity == Severity::kError) {
      throw EvaluationError(diagnostic, ErrorKind::kSyntax);
    }
  }
  return file.program;
}

}  // namespace bunraku
