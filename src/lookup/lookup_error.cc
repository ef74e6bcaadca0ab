#include "lookup/lookup_error.h"

namespace bunraku {

void fail_lookup(std::string message) {
  fail_lookup(Issue::kLookupFailed, {std::move(message)});
}

void fail_lookup(Issue issue, std::vector<std::string> arguments) {
  throw EvaluationError(make_diagnostic(issue, Range(), std::move(arguments)), ErrorKind::kLookup);
}

}  // namespace bunraku
