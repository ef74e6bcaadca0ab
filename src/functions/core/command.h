// Running a command and catching what it writes.
#pragma once

#include <string>
#include <vector>

namespace bunraku {

struct CommandResult {
  bool started;
  int status;          // exit code, or 128 + the signal that ended it
  std::string output;  // when not started, the reason
};

// Where a command's standard error goes.
enum class ErrorStream {
  kIntoOutput,
  kShown  // to our own
};

// Runs the program `words[0]`, looked for along the path, without a shell, in `folder`, with the C
// locale, no input, and without the variables that tell of a user.
CommandResult run_command(const std::vector<std::string>& words, const std::string& folder,
                          ErrorStream errors = ErrorStream::kIntoOutput);

}  // namespace bunraku
