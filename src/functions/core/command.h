// Running a command and catching what it writes.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace bunraku {

struct CommandResult {
  bool started;
  int status;          // exit code, or 128 + the signal that ended it
  std::string output;  // when not started, the reason
  // Why the command was killed: it ran too long or wrote too much. Empty otherwise.
  std::string ended_because;
};

// Where a command's standard error goes.
enum class ErrorStream {
  kIntoOutput,
  kShown  // passed on to our own standard error
};

// The time limit for programs that code or a setting runs. It applies to the whole process, and is
// set by the parser of its options; the default is 60 seconds. Safe from any thread.
std::chrono::milliseconds program_timeout();
void set_program_timeout(std::chrono::milliseconds limit);

struct CommandOptions {
  std::chrono::milliseconds time_limit = program_timeout();
  ErrorStream errors = ErrorStream::kIntoOutput;
  // The option that sets the limit, for messages; empty when there is none.
  std::string_view limit_option = "--program-timeout";
};

// Runs the program `words[0]`, found along the path, without a shell, in `directory`, with the C
// locale, no input, and without the variables that describe a user. Processes that it has started
// are ended with it.
CommandResult run_command(const std::vector<std::string>& words, const std::string& directory,
                          const CommandOptions& options);

}  // namespace bunraku
