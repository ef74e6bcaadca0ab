#include "pcore/type_error.h"

#include "pcore/mismatch.h"
#include "base/diagnostics/diagnostic.h"

namespace bunraku {

void fail_with(std::string message) {
  throw EvaluationError(make_diagnostic(Issue::kRuntimeError, {}, {std::move(message)}));
}

void assert_instance_of(std::string_view subject, const Type* expected, Value value) {
  if (is_instance(expected, value)) return;
  fail_with(describe_mismatch(std::string(subject) + " has wrong type,", expected, value));
}

}  // namespace bunraku
