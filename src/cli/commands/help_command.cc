#include <unistd.h>

#include <memory>

#include "cli/commands/commands.h"
#include "cli/frame/command_line.h"
#include "cli/frame/help.h"
#include "cli/frame/manual.h"
#include "cli/frame/session.h"

namespace bunraku {

Command make_help_command() {
  auto words = std::make_shared<std::vector<std::string>>();
  auto shows_all = std::make_shared<bool>(false);
  Command command("help", "Help on the program or on one of its commands");
  command.argument("[COMMAND...]", "the command to explain", *words);
  command.flag("--all", "explain the options that all commands have, too", *shows_all);
  command.formats({"text", "man", "json"});
  command.example("bunraku help", "lists all commands");
  command.example("bunraku help parser validate", "explains one");
  command.example("bunraku help --format man lookup | man -l -", "shows it as a manual page");
  command.run([words, shows_all](Session& session) {
    std::string name;
    for (const std::string& word : *words) name += (name.empty() ? "" : " ") + word;
    const std::string_view format = session.format_or("text");
    const HelpStyle style{terminal_width(STDOUT_FILENO), session.has_color_output()};
    if (const Command* found = find_command(session.commands(), name)) {
      if (format == "man") {
        session.print(command_manual(*found));
      } else if (format == "json") {
        session.print(commands_json({found, 1}));
      } else {
        session.print(command_help(*found, style, *shows_all));
      }
    } else if (format != "text" && name.empty()) {
      session.print(format == "man" ? program_manual(session.commands())
                                    : commands_json(session.commands()));
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
