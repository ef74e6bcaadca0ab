// Runs the commands that settings name.
#pragma once

#include <string>
#include <string_view>

#include "values/value.h"

namespace bunraku {

// Returns the output of the external_nodes classifier for the node. Like the others, throws
// EvaluationError when the command fails or does not end within program_timeout().
std::string run_classifier(const std::string& command, const std::string& node_name);

// Returns the output of the config_version command without surrounding blanks.
std::string run_config_version(const std::string& command);

// The value of the setting trusted_external_command.
struct TrustedExternalCommand {
  std::string path;           // empty: not set
  bool is_directory = false;  // a directory of programs, whose outputs are stored under their names
};

// The external data of the node for $trusted['external']; the time limit applies to each program.
Value run_trusted_external(Arena& arena, const TrustedExternalCommand& command,
                           std::string_view certname);

}  // namespace bunraku
