// From a parsed file to a program that may be evaluated.
#pragma once

#include <cstddef>
#include <string>

#include "site/environment/problem_limits.h"
#include "site/environment/program_cache.h"

namespace bunraku {

class LogSink;
struct Diagnostic;

// The program, its warnings logged. With one error, or where the limits want no more than one:
// throws that as EvaluationError. With several: logs them and throws how many there are. The error
// is of the kind that says so when the file is an initial manifest (messages then begin with the
// environment). `log` may be null.
const ProgramPointer& checked_program(const ParsedFile& file, const ProblemLimits& limits,
                                      LogSink* log, bool is_initial = false);

// Is this a warning that is reported as soon as it is found, whatever the limits are, and never
// counted?
bool is_lexer_warning(const Diagnostic& diagnostic);

// "Language validation logged 2 errors, and 1 warnings. Giving up"
std::string giving_up_text(size_t errors, size_t warnings);

}  // namespace bunraku
