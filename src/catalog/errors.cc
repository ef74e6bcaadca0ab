#include "catalog/errors.h"

#include "support/diagnostic.h"

namespace bunraku {

void fail(std::string message) {
  throw EvaluationError(make_diagnostic(Issue::kRuntimeError, Range{}, {std::move(message)}));
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
