#include "values/conversion_error.h"

namespace bunraku {

void fail_conversion(Issue issue, std::vector<std::string> arguments) {
  throw EvaluationError(make_diagnostic(issue, {}, std::move(arguments)));
}

}  // namespace bunraku
