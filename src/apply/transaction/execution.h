// Runs commands as the reference runs them for its types and providers.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bunraku::apply {

// A command: words, or a command line. As in Ruby, a line with shell syntax is passed to /bin/sh,
// and any other line is split at blanks.
struct ExecutionRequest {
  std::vector<std::string> words;  // when empty, `line` is used
  std::string line;
  // Variables added to the environment of this process, from which HOME, USER and LOGNAME are
  // removed.
  std::vector<std::pair<std::string, std::string>> environment;
  // Commands of providers run in English (LANG=C), those of users in the system's locale.
  bool overrides_locale = true;
  std::string directory;  // empty: the current one
  std::string user;       // a name or number; empty: the current user
  std::string group;      // a name or number; empty: the user's
  std::optional<unsigned> umask;
  std::optional<std::chrono::milliseconds> time_limit;
  std::string input;
  bool includes_errors = true;  // include standard error in the output; otherwise it is dropped
  bool is_sensitive = false;    // the command is not shown in messages
};

struct ExecutionResult {
  std::string output;
  // The exit status; no value when a signal ended the program.
  std::optional<int> status;
  bool has_timed_out = false;
  bool is_success() const { return status == 0; }
};

// Runs a command. As in the reference, a program that cannot be started has exit status 1 and the
// reason as output. Throws Failure when the working directory is missing or the output is too
// large.
ExecutionResult run_command(const ExecutionRequest& request);

// The command for messages; "[redacted]" when it is sensitive.
std::string shown_command(const ExecutionRequest& request);

// Runs a provider's command and returns its output. Throws Failure when it fails: "Execution of 'x'
// returned 1: …".
std::string execute(std::vector<std::string> words);
std::string execute(const ExecutionRequest& request);

// The lines of an output or file, without empty lines at the end, as in Ruby's split.
std::vector<std::string> lines_of(std::string_view text);

// The path of an executable found in `path` (PATH when empty); empty when there is none.
std::string find_executable(std::string_view name, std::string_view path = {});

// The number of a user or group, given by name or number; no value when it does not exist.
std::optional<uint32_t> user_id(std::string_view name_or_number);
std::optional<uint32_t> group_id(std::string_view name_or_number);

}  // namespace bunraku::apply
