#include "lookup/lookup_error.h"

#include "pcore/mismatch.h"

namespace bunraku {

void fail_lookup(std::string message) {
  fail_lookup(Issue::kLookupFailed, {std::move(message)});
}

void fail_lookup(Issue issue, std::vector<std::string> arguments) {
  throw EvaluationError(make_diagnostic(issue, Range(), std::move(arguments)), ErrorKind::kLookup);
}

void fail_wrong_type(std::string_view subject, const Type* expected, Value actual) {
  fail_lookup(describe_mismatch(std::string(subject) + " has wrong type,", expected, actual));
}

}  // namespace bunraku
