// Errors of look-ups.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostics/diagnostic.h"
#include "values/type.h"

namespace bunraku {

// Ends the look-up with a message that has no place of its own (the call's is added above).
[[noreturn]] void fail_lookup(Issue issue, std::vector<std::string> arguments = {});
// The same with what caused it.
[[noreturn]] void fail_lookup(Issue issue, std::vector<std::string> arguments,
                              const Diagnostic& cause);

// Ends the look-up with a ForeignError.
[[noreturn]] void fail_foreign(Issue issue, std::vector<std::string> arguments);

// The same where Ruby wanted text: "no implicit conversion of Integer into String".
[[noreturn]] void fail_no_text(Value value);

// Ends the look-up with an error that is reported as the fault of the call, unless it comes from
// within the levels of a layer.
[[noreturn]] void fail_call(Issue issue, std::vector<std::string> arguments);
// The same, of what is wrong with a value: "<subject> has wrong type, expects ...".
[[noreturn]] void fail_wrong_type(std::string_view subject, const Type* expected, Value actual);

// Makes an error that comes from within the levels of a layer a look-up error.
[[noreturn]] void rethrow_as_lookup_error(const EvaluationError& error);

// A Hiera function said that it does not know the key. Passes through the evaluator from a
// context's not_found() to the provider that called the function.
struct DataNotFound {};

}  // namespace bunraku
