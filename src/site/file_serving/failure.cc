#include "site/file_serving/failure.h"

#include "base/diagnostics/diagnostic.h"

namespace bunraku {

void fail_to_serve(std::string message) {
  throw EvaluationError(make_diagnostic(Issue::kUnservedFile, Range{}, {std::move(message)}),
                        ErrorKind::kError);
}

}  // namespace bunraku
