// The whole program, but for its main().
#pragma once

#include <span>
#include <string>

namespace bunraku {

// Runs the words of a command line (without the program's name) and gives the exit code. Whatever
// goes wrong ends in a message on standard error; nothing is thrown.
int run_program(std::span<const std::string> words);

}  // namespace bunraku
