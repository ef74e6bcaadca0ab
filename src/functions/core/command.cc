// Runs commands of the language and its settings in the environment that the reference sets up for
// them.
#include "functions/core/command.h"

#include <atomic>
#include <string_view>
#include <utility>

#include "base/system/process.h"
#include "base/system/reads.h"

extern char** environ;

namespace bunraku {

namespace {

bool is_dropped(std::string_view variable) {
  const std::string_view name = variable.substr(0, variable.find('='));
  for (const std::string_view dropped :
       {"LANG", "LANGUAGE", "HOME", "USER", "LOGNAME", "USERNAME", "SHELL", "MAIL"}) {
    if (name == dropped) return true;
  }
  return name.starts_with("LC_");
}

std::vector<std::string> command_environment() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!is_dropped(*variable)) variables.emplace_back(*variable);
  }
  variables.insert(variables.end(), {"LANG=C", "LC_ALL=C"});
  return variables;
}

}  // namespace

namespace {

std::atomic<int64_t> program_milliseconds = 60'000;

}  // namespace

std::chrono::milliseconds program_timeout() {
  return std::chrono::milliseconds(program_milliseconds.load());
}

void set_program_timeout(std::chrono::milliseconds limit) {
  program_milliseconds = limit.count();
}

CommandResult run_command(const std::vector<std::string>& words, const std::string& directory,
                          const CommandOptions& options) {
  report_untracked("a program was run");
  ProcessCall call;
  call.start.words = words;
  call.start.directory = directory;
  call.start.environment = command_environment();
  call.time_limit = options.time_limit;
  call.errors =
      options.errors == ErrorStream::kShown ? ErrorOutput::kShown : ErrorOutput::kIntoOutput;
  ProcessResult result = run_process(call);
  switch (result.outcome) {
    case ProcessOutcome::kNotStarted:
      return {false, 0, std::move(result.reason), {}};
    case ProcessOutcome::kTimedOut:
      if (!options.limit_option.empty()) {
        result.reason.append(" (").append(options.limit_option).append(")");
      }
      [[fallthrough]];
    case ProcessOutcome::kOutputTooLarge:
      return {true, result.end.shell_status(), std::move(result.output), std::move(result.reason)};
    case ProcessOutcome::kEnded:
      break;
  }
  return {true, result.end.shell_status(), std::move(result.output), {}};
}

}  // namespace bunraku
