// The interactive console of `eval`.
#pragma once

#include "compilation/code_evaluation.h"

namespace bunraku {

class Session;

// Reads expressions from the terminal until the end of input, and shows their values. Returns the
// exit code.
int run_console(compilation::CodeEvaluation& evaluation, Session& session);

}  // namespace bunraku
