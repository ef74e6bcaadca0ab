// The commands of the section versioned-code, which print the version of an environment's code and
// files of a version.
#pragma once

#include <string>
#include <vector>

namespace bunraku::server {

// Runs the command (split at spaces, no shell) with the arguments and returns its output. Throws
// ApiError 500 when it cannot run, fails, or takes longer than a minute.
std::string run_code_command(const std::string& command, const std::vector<std::string>& arguments);

}  // namespace bunraku::server
