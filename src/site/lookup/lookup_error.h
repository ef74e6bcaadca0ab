// Errors of look-ups.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostics/diagnostic.h"
#include "values/type.h"

namespace bunraku {

// Ends the look-up with a message without a place; the call's place is added by callers.
[[noreturn]] void fail_lookup(Issue issue, std::vector<std::string> arguments = {});
// As above, with the cause of the error.
[[noreturn]] void fail_lookup(Issue issue, std::vector<std::string> arguments,
                              const Diagnostic& cause);

// Ends the look-up with a ForeignError.
[[noreturn]] void fail_foreign(Issue issue, std::vector<std::string> arguments);

// As above, for Ruby's error on a value that is not text: "no implicit conversion of Integer into
// String".
[[noreturn]] void fail_no_text(Value value);

// Ends the look-up with an error that is blamed on the call, unless it arises within the levels of
// a layer.
[[noreturn]] void fail_call(Issue issue, std::vector<std::string> arguments);
// As above, for a value of a wrong type: "<subject> has wrong type, expects ...".
[[noreturn]] void fail_wrong_type(std::string_view subject, const Type* expected, Value actual);

// Turns an error that arises within the levels of a layer into a look-up error.
[[noreturn]] void rethrow_as_lookup_error(const EvaluationError& error);

// Thrown by a context's not_found(): the Hiera function does not know the key. It passes through
// the evaluator to the provider that called the function.
struct DataNotFound {};

}  // namespace bunraku
