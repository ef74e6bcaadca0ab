#include "site/lookup/lookup_error.h"

#include <fmt/core.h>

#include "base/diagnostics/diagnostic_renderer.h"
#include "types/mismatch.h"
#include "types/ruby_value_text.h"

namespace bunraku {

void fail_lookup(Issue issue, std::vector<std::string> arguments) {
  throw EvaluationError(make_diagnostic(issue, Range(), std::move(arguments)), ErrorKind::kLookup);
}

void fail_lookup(Issue issue, std::vector<std::string> arguments, const Diagnostic& cause) {
  throw EvaluationError(make_diagnostic(issue, Range(), std::move(arguments), cause),
                        ErrorKind::kLookup);
}

void fail_foreign(Issue issue, std::vector<std::string> arguments) {
  throw ForeignError(make_diagnostic(issue, Range(), std::move(arguments)));
}

void fail_no_text(Value value) {
  fail_foreign(Issue::kNoImplicitConversion,
               {fmt::format("no implicit conversion of {} into String", ruby_noun(value))});
}

void fail_call(Issue issue, std::vector<std::string> arguments) {
  throw EvaluationError(make_diagnostic(issue, Range(), std::move(arguments)));
}

void fail_wrong_type(std::string_view subject, const Type* expected, Value actual) {
  fail_call(Issue::kWrongData,
            {describe_mismatch(std::string(subject) + " has wrong type,", expected, actual)});
}

void rethrow_as_lookup_error(const EvaluationError& error) {
  const Diagnostic& diagnostic = error.diagnostic();
  const bool has_place = diagnostic.primary.file != nullptr;
  if (error.kind() == ErrorKind::kLookup) throw error;
  if (const auto* foreign = dynamic_cast<const ForeignError*>(&error); foreign && !has_place) {
    throw *foreign;
  }
  const bool is_evaluation = error.kind() == ErrorKind::kEvaluation && has_place;
  fail_lookup(Issue::kFailedWithinLookup, {is_evaluation ? "Evaluation Error: " : ""}, diagnostic);
}

}  // namespace bunraku
