// From a parsed file to a program that may be evaluated.
#pragma once

#include "environment/program_cache.h"

namespace bunraku {

class LogSink;

// The program, its warnings logged. With errors: logs each when there are several, and throws
// EvaluationError, of the kind that says so when the file is an initial manifest (messages then
// begin with the environment). `log` may be null.
const ProgramPointer& checked_program(const ParsedFile& file, LogSink* log,
                                      bool is_initial = false);

}  // namespace bunraku
