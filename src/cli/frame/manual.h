// The commands' declarations as manual pages and as JSON.
#pragma once

#include <span>
#include <string>

namespace bunraku {

class Command;

// bunraku(1) in roff, the format of man.
std::string program_manual(std::span<const Command> commands);
// bunraku-catalog-compile(1)
std::string command_manual(const Command& command);
// An object with the list `commands` (name, summary, details, usage, arguments, options, formats,
// examples) and the list `common_options`.
std::string commands_json(std::span<const Command> commands);

}  // namespace bunraku
