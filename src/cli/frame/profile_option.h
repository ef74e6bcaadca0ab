// The option --profile: where a command spends its time.
#pragma once

#include <functional>
#include <string>

#include "cli/frame/command.h"

namespace bunraku {

void take_profile_option(Command& command, std::string& file);

// Runs the task. If `file` is not empty, writes the trace to it and a table to standard error.
// Throws FileError.
int run_with_profile(const std::string& file, const std::function<int()>& task);

}  // namespace bunraku
