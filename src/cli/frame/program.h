// The whole program except main().
#pragma once

#include <span>
#include <string>

namespace bunraku {

class Command;
class Session;

// Runs a command line (without the program's name) and returns the exit code. All errors are
// reported on standard error; nothing is thrown.
int run_program(std::span<const std::string> words);

// Runs one command with its options and arguments set, and returns the exit code. Exceptions are
// reported.
int run_command(const Command& command, Session& session);

}  // namespace bunraku
