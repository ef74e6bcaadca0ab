#include "pcore/conversion_error.h"

#include "base/diagnostics/diagnostic.h"

namespace bunraku {

void fail_conversion(std::string message) {
  throw EvaluationError(make_diagnostic(Issue::kRuntimeError, {}, {std::move(message)}));
}

}  // namespace bunraku
