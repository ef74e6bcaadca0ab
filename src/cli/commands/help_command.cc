#include <unistd.h>

#include <memory>

#include "cli/frame/command_line.h"
#include "cli/commands/commands.h"
#include "cli/frame/help.h"
#include "cli/frame/session.h"

namespace bunraku {

Command make_help_command() {
  auto words = std::make_shared<std::vector<std::string>>();
  Command command("help", "Help on the program or on one of its commands");
  command.argument("[COMMAND...]", "the command to tell about", *words);
  command.example("bunraku help", "lists all commands");
  command.example("bunraku help parser validate", "tells about one");
  command.run([words](Session& session) {
    std::string name;
    for (const std::string& word : *words) name += (name.empty() ? "" : " ") + word;
    HelpStyle style{terminal_width(STDOUT_FILENO), session.has_color_output()};
    if (const Command* found = find_command(session.commands(), name)) {
      session.print(command_help(*found, style));
    } else if (name.empty() || is_command_group(session.commands(), name)) {
      session.print(overview_help(session.commands(), name, style));
    } else {
      throw unknown_command(session.commands(), name);
    }
    return kExitSuccess;
  });
  return command;
}

}  // namespace bunraku
