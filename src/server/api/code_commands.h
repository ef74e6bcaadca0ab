// The commands of the section versioned-code, which print the version of an environment's code and
// files of a version.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace bunraku::server {

struct Call;

// Runs the command (split at spaces, no shell) with the arguments and returns its output. Throws
// ApiError 500 when it cannot run, fails, or takes longer than a minute.
std::string run_code_command(const std::string& command, const std::vector<std::string>& arguments);

// The version of the environment's code, as code-id-command prints it; no value without that
// command. Throws as above.
std::optional<std::string> code_id_of(const Call& call, const std::string& environment);

}  // namespace bunraku::server
