// What a shell offers for a command line that is not whole yet.
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

// What may stand in place of the last of `words` (which may be empty), those before it being whole;
// `words` are without the program's name. Commands, options and their choices come from what
// commands declare; names of nodes, environments and keys of data from the repository; functions,
// types and diagnostics from the registries. Empty where files are meant: shells know these.
std::vector<Completion> completions(std::span<const std::string> words,
                                    std::span<const Command> commands);

}  // namespace bunraku
