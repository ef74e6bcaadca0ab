// Makes a program that may be evaluated from a parsed file.
#pragma once

#include <cstddef>
#include <string>

#include "site/environment/problem_limits.h"
#include "site/environment/program_cache.h"

namespace bunraku {

class LogSink;
struct Diagnostic;

// Returns the program and logs its warnings. With one error, or when the limits allow only one, it
// is thrown as EvaluationError. Several errors are logged, and their number is thrown; of several
// syntax errors the first is thrown, because the reference's parser stops there. For an initial
// manifest the error is of the kind whose messages begin with the environment. `log` may be null.
const ProgramPointer& checked_program(const ParsedFile& file, const ProblemLimits& limits,
                                      LogSink* log, bool is_initial = false);

// Returns whether the warning is reported as soon as it is found, whatever the limits are, and is
// never counted.
bool is_lexer_warning(const Diagnostic& diagnostic);

// "Language validation logged 2 errors, and 1 warnings. Giving up"
std::string giving_up_text(size_t errors, size_t warnings);

}  // namespace bunraku
