#include "fleet/outcome.h"

#include "base/diagnostics/diagnostic_renderer.h"

namespace bunraku {

NodeProblem problem_of(const Diagnostic& given) {
  const Diagnostic diagnostic = flattened(given);
  NodeProblem problem;
  problem.severity =
      diagnostic.severity == Severity::kError ? Severity::kError : Severity::kWarning;
  problem.code = code(diagnostic.issue);
  problem.issue_code = info(diagnostic.issue).issue_code;
  problem.text = diagnostic.message();
  const FilePlace place = place_of(diagnostic.primary);
  problem.file = place.file;
  problem.line = place.begin.line;
  problem.column = place.begin.column;
  return problem;
}

}  // namespace bunraku
