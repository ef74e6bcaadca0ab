// Makes the help texts from the commands' declarations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace bunraku {

class Command;

struct HelpStyle {
  uint32_t width = 100;
  bool color = false;
};

// Wraps text to lines of at most `width` columns, each with `indent` leading spaces and a line end.
// Empty lines separate paragraphs; lines that are indented already are unchanged.
std::string wrapped(std::string_view text, size_t indent, uint32_t width);

// The program's own help with all commands, or with those of a group ("parser").
std::string overview_help(std::span<const Command> commands, std::string_view group,
                          const HelpStyle& style);
// `with_common`: explains the common options as well; otherwise only their names are listed.
std::string command_help(const Command& command, const HelpStyle& style, bool with_common = false);
// "bunraku lookup [OPTIONS] [KEYS...]"
std::string usage_of(const Command& command);

}  // namespace bunraku
