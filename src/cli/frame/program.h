// The whole program, but for its main().
#pragma once

#include <span>
#include <string>

namespace bunraku {

class Command;
class Session;

// Runs the words of a command line (without the program's name) and gives the exit code. Whatever
// goes wrong ends in a message on standard error; nothing is thrown.
int run_program(std::span<const std::string> words);

// Runs one command, whose options and arguments have been stored, and gives the exit code. What it
// throws is reported.
int run_command(const Command& command, Session& session);

}  // namespace bunraku
