#include "types/type_error.h"

#include "types/mismatch.h"
#include "types/relations.h"

namespace bunraku {

void fail_with(Issue issue, std::vector<std::string> arguments) {
  throw EvaluationError(make_diagnostic(issue, {}, std::move(arguments)));
}

void assert_instance_of(std::string_view subject, const Type* expected, Value value) {
  if (is_instance(expected, value)) return;
  fail_with(Issue::kValueMismatch,
            {describe_mismatch(std::string(subject) + " has wrong type,", expected, value)});
}

}  // namespace bunraku
