// The commands of a host that a server manages.
#pragma once

#include <vector>

#include "cli/frame/command.h"

namespace bunraku {

Command make_agent_command();
std::vector<Command> make_ssl_commands();

}  // namespace bunraku
