// The reporting of the catalog's errors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "evaluation/function.h"

namespace bunraku {

// Ends the compilation; the expression that is being evaluated sets the place.
[[noreturn]] void fail(Issue issue, std::vector<std::string> arguments);
// The same for a name that is not in `known`; suggests similar ones.
[[noreturn]] void fail_unknown(Issue issue, std::vector<std::string> arguments,
                               std::string_view name, std::vector<std::string> known);
// Rethrows the error that is being handled, with a label at the place that led to the failing code.
[[noreturn]] void throw_with_step(const EvaluationError& error, const Place& place,
                                  std::string_view label);

// Ends the compilation with a place of its own (a line without column, as in the reference), which
// surrounding expressions do not change.
[[noreturn]] void fail_at(Issue issue, std::vector<std::string> arguments, const Place& place);
// The same with a complete diagnostic.
[[noreturn]] void fail_at(Diagnostic diagnostic, const Place& place);

}  // namespace bunraku
