#include "catalog/compiler/errors.h"

#include "evaluation/suggestions.h"
#include "base/diagnostics/diagnostic.h"

namespace bunraku {

void fail(std::string message) {
  throw EvaluationError(make_diagnostic(Issue::kRuntimeError, Range{}, {std::move(message)}));
}

void fail_unknown(std::string message, std::string_view name, std::vector<std::string> known) {
  Diagnostic diagnostic = make_diagnostic(Issue::kRuntimeError, Range{}, {std::move(message)});
  suggest(diagnostic, name, std::move(known));
  throw EvaluationError(std::move(diagnostic));
}

void fail_at(std::string message, const Place& place) {
  if (place.program == nullptr) fail(std::move(message));
  Range range = place.range();
  range.is_whole_line = true;
  throw EvaluationError(
      make_diagnostic(Issue::kCatalogError, std::move(range), {std::move(message)}),
      ErrorKind::kError);
}

}  // namespace bunraku
