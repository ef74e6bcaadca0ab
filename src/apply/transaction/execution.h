// Running commands the way the reference runs them for its types and providers.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bunraku::apply {

// A command: words, or a line that is given to /bin/sh when it holds what only a shell understands
// and is split at blanks otherwise, as Ruby does.
struct ExecutionRequest {
  std::vector<std::string> words;  // when empty, `line` counts
  std::string line;
  // Added to the environment, which is ours without HOME, USER and LOGNAME.
  std::vector<std::pair<std::string, std::string>> environment;
  // Commands of providers speak English (LANG=C); those of users what the system speaks.
  bool overrides_locale = true;
  std::string directory;  // empty: ours
  std::string user;       // a name or number; empty: ours
  std::string group;      // the same; empty: the user's
  std::optional<unsigned> umask;
  std::optional<std::chrono::milliseconds> time_limit;
  std::string input;
  bool includes_errors = true;  // standard error goes into the output; it is dropped otherwise
  bool is_sensitive = false;    // the command is not shown in messages
};

struct ExecutionResult {
  std::string output;
  // The exit status; nothing when a signal ended the program.
  std::optional<int> status;
  bool has_timed_out = false;
  bool is_success() const { return status == 0; }
};

// A program that cannot be started ends with status 1, and says why in its output, as the
// reference's child does. Throws Failure when the working directory is missing or the output is
// too large.
ExecutionResult run_command(const ExecutionRequest& request);

// The command as messages show it; "[redacted]" when it is sensitive.
std::string shown_command(const ExecutionRequest& request);

// The output of a provider's command. Throws Failure when it fails: "Execution of 'x' returned 1:
// …".
std::string execute(std::vector<std::string> words);
std::string execute(const ExecutionRequest& request);

// The lines of an output or file; empty lines at the end are left out, as Ruby splits.
std::vector<std::string> lines_of(std::string_view text);

// The path of a program that can be executed, looked for in `path` (PATH when empty); empty when
// there is none.
std::string find_executable(std::string_view name, std::string_view path = {});

// The number of a user or group by name or number; nothing when there is none.
std::optional<uint32_t> user_id(std::string_view name_or_number);
std::optional<uint32_t> group_id(std::string_view name_or_number);

}  // namespace bunraku::apply
