// Completes an unfinished command line for a shell.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/frame/command.h"

namespace bunraku {

struct Completion {
  std::string word;
  std::string help;  // one line; may be empty
};

// The completions of the last of `words` (which may be empty); the words before it are complete,
// and the program's name is left out. Commands, options and choices come from the commands'
// declarations, names of nodes, environments and data keys from the repository, and functions,
// types and diagnostics from the registries. Empty where a file is expected, which shells complete
// themselves.
std::vector<Completion> completions(std::span<const std::string> words,
                                    std::span<const Command> commands);

}  // namespace bunraku
