#include "cli/commands.h"

namespace bunraku {

std::vector<Command> all_commands() {
  std::vector<Command> commands;
  commands.push_back(make_config_print_command());
  commands.push_back(make_describe_command());
  commands.push_back(make_help_command());
  commands.push_back(make_version_command());
  return commands;
}

}  // namespace bunraku
