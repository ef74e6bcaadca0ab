// The commands that settings name, and what they print.
#pragma once

#include <string>
#include <string_view>

#include "values/value.h"

namespace bunraku {

// What the classifier of the setting external_nodes prints for the node. Throws EvaluationError
// when it fails or does not end within program_timeout(), as the others do.
std::string run_classifier(const std::string& command, const std::string& node_name);

// What the command of the setting config_version prints, without blanks around it.
std::string run_config_version(const std::string& command);

// What the setting trusted_external_command names.
struct TrustedExternalCommand {
  std::string path;           // empty: nothing
  bool is_directory = false;  // whose programs are asked, each for what stands under its name
};

// What is said of the node from outside, for $trusted['external']; each program has the limit.
Value run_trusted_external(Arena& arena, const TrustedExternalCommand& command,
                           std::string_view certname);

}  // namespace bunraku
