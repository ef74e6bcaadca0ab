// The help texts, made from what commands declare.
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

// Text in lines of at most `width` columns, each begun with `indent` spaces and ended. Empty lines
// part paragraphs; lines that are indented already stay as they are.
std::string wrapped(std::string_view text, size_t indent, uint32_t width);

// The program's own help: what it is, and all commands. With a group ("parser") only those of it.
std::string overview_help(std::span<const Command> commands, std::string_view group,
                          const HelpStyle& style);
// `with_common`: explains the common options too; otherwise they are named only.
std::string command_help(const Command& command, const HelpStyle& style, bool with_common = false);
// "bunraku lookup [OPTIONS] [KEYS...]"
std::string usage_of(const Command& command);

}  // namespace bunraku
