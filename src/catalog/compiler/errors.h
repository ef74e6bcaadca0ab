// How the catalog's failures are reported.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "evaluation/function.h"

namespace bunraku {

// Ends the compilation; the expression in evaluation sets its place.
[[noreturn]] void fail(Issue issue, std::vector<std::string> arguments);
// The same about a name that is none of `known`: says which of them it may have meant.
[[noreturn]] void fail_unknown(Issue issue, std::vector<std::string> arguments,
                               std::string_view name, std::vector<std::string> known);
// Rethrows the error that is being handled, with a label at the place that led to the code in which
// it was raised.
[[noreturn]] void throw_with_step(const EvaluationError& error, const Place& place,
                                  std::string_view label);

// The message has its own place, a line without column as the reference has it, and is not repeated
// again by those around it.
[[noreturn]] void fail_at(Issue issue, std::vector<std::string> arguments, const Place& place);
// The same with all that is known of it already.
[[noreturn]] void fail_at(Diagnostic diagnostic, const Place& place);

}  // namespace bunraku
