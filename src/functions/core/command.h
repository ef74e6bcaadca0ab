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
  // It was ended for running too long or writing too much: why. Empty otherwise.
  std::string ended_because;
};

// Where a command's standard error goes.
enum class ErrorStream {
  kIntoOutput,
  kShown  // to our own
};

// How long a program may run that code or a setting names: of this process, set by the reader of
// its options. 60 seconds unless it was set. Safe from any thread.
std::chrono::milliseconds program_timeout();
void set_program_timeout(std::chrono::milliseconds limit);

struct CommandOptions {
  std::chrono::milliseconds time_limit = program_timeout();
  ErrorStream errors = ErrorStream::kIntoOutput;
  // The option that sets the limit, for messages; empty when there is none.
  std::string_view limit_option = "--program-timeout";
};

// Runs the program `words[0]`, looked for along the path, without a shell, in `directory`, with the
// C locale, no input, and without the variables that describe a user. Whatever it has started is
// ended with it.
CommandResult run_command(const std::vector<std::string>& words, const std::string& directory,
                          const CommandOptions& options);

}  // namespace bunraku
