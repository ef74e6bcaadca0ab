#include "catalog/compiler/errors.h"

#include "base/diagnostics/diagnostic.h"
#include "evaluation/suggestions.h"

namespace bunraku {

void fail(Issue issue, std::vector<std::string> arguments) {
  throw EvaluationError(make_diagnostic(issue, Range{}, std::move(arguments)));
}

void fail_unknown(Issue issue, std::vector<std::string> arguments, std::string_view name,
                  std::vector<std::string> known) {
  Diagnostic diagnostic = make_diagnostic(issue, Range{}, std::move(arguments));
  suggest(diagnostic, name, std::move(known));
  throw EvaluationError(std::move(diagnostic));
}

void throw_with_step(const EvaluationError& error, const Place& place, std::string_view label) {
  // Only the labels nearest to the error are kept.
  constexpr size_t kMostLabels = 8;
  const Diagnostic& diagnostic = error.diagnostic();
  if (diagnostic.primary.file == nullptr || place.program == nullptr ||
      diagnostic.labels.size() >= kMostLabels) {
    throw;
  }
  // Copied, because other compilations may share the error.
  Diagnostic labelled = diagnostic;
  labelled.labels.push_back({place.range(), std::string(label)});
  throw EvaluationError(std::move(labelled), error.kind());
}

void fail_at(Issue issue, std::vector<std::string> arguments, const Place& place) {
  fail_at(make_diagnostic(issue, Range{}, std::move(arguments)), place);
}

void fail_at(Diagnostic diagnostic, const Place& place) {
  if (place.program == nullptr) throw EvaluationError(std::move(diagnostic));
  diagnostic.primary = place.range();
  diagnostic.primary.is_whole_line = true;
  throw EvaluationError(std::move(diagnostic), ErrorKind::kError);
}

}  // namespace bunraku
