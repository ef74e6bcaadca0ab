// From the words of a command line to a command with its options set.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/frame/command.h"
#include "cli/frame/common_options.h"

namespace bunraku {

struct ParsedCommandLine {
  // Null when the line asks for no command: `group` then holds the words there were ("parser").
  const Command* command = nullptr;
  std::string group;
};

// Reads the words after the program's name. Options may stand before, between and behind the words
// of the command and its arguments; "--" ends them. Throws UsageError; `common` and `line` then
// hold what was understood until then.
void parse_command_line(std::span<const std::string> words, std::span<const Command> commands,
                        CommonOptions& common, ParsedCommandLine& line);

// The command of this name; null when there is none.
const Command* find_command(std::span<const Command> commands, std::string_view name);
// Whether the name is the first word or words of some command's.
bool is_command_group(std::span<const Command> commands, std::string_view name);
// "unknown command 'parse'; did you mean 'parser'?"
UsageError unknown_command(std::span<const Command> commands, std::string_view name);

}  // namespace bunraku
