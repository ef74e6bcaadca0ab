// Parses the words of a command line into a command with its options set.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/frame/command.h"
#include "cli/frame/common_options.h"

namespace bunraku {

struct ParsedCommandLine {
  // Null when the line names no command: then `group` has the words of a group, if any ("parser").
  const Command* command = nullptr;
  std::string group;
};

// Parses the words after the program's name. Options may be before, between and after the words of
// the command and its arguments; "--" ends them. Throws UsageError; `common` and `line` then have
// the results so far.
void parse_command_line(std::span<const std::string> words, std::span<const Command> commands,
                        CommonOptions& common, ParsedCommandLine& line);

// Returns null when there is no command of this name.
const Command* find_command(std::span<const Command> commands, std::string_view name);
// Returns whether the name is the first word or words of a command's name.
bool is_command_group(std::span<const Command> commands, std::string_view name);
// "unknown command 'parse'; did you mean 'parser'?"
UsageError unknown_command(std::span<const Command> commands, std::string_view name);

}  // namespace bunraku
