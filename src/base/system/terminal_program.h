// Programs that people use on our terminal, such as an editor. All others: process.h.
#pragma once

#include <string>
#include <vector>

#include "base/system/process.h"

namespace bunraku {

// Runs a program with our standard streams, session and terminal, and waits until it has ended.
// Ctrl-C and Ctrl-\ are its own meanwhile. Without a slash it is looked for along our PATH. Throws
// ProcessError.
ProcessEnd run_on_terminal(const std::vector<std::string>& words);

}  // namespace bunraku
