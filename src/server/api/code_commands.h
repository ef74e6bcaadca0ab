// The commands of the section versioned-code, which name the version of an environment's code and
// print files of a version.
#pragma once

#include <string>
#include <vector>

namespace bunraku::server {

// Runs the command (split at spaces, no shell) with the arguments and returns its output. Throws
// ApiError 500 when it cannot be run, fails, or takes longer than a minute.
std::string run_code_command(const std::string& command, const std::vector<std::string>& arguments);

}  // namespace bunraku::server
