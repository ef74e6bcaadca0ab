// Programs that people use on this process's terminal, such as an editor. For all others see
// process.h.
#pragma once

#include <string>
#include <vector>

#include "base/system/process.h"

namespace bunraku {

// Runs a program with the standard streams, session and terminal of this process, and waits for its
// end. Meanwhile Ctrl-C and Ctrl-\ affect only the program. Without a slash it is searched in PATH.
// Throws ProcessError.
ProcessEnd run_on_terminal(const std::vector<std::string>& words);

}  // namespace bunraku
