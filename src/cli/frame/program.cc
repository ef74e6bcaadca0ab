#include "cli/frame/program.h"

#include <fmt/core.h>
#include <unistd.h>

#include <csignal>
#include <exception>
#include <new>
#include <optional>
#include <system_error>

#include "base/diagnostics/diagnostic.h"
#include "base/formats/data.h"
#include "base/regex/regex.h"
#include "base/system/file_system.h"
#include "base/system/limits.h"
#include "base/system/process.h"
#include "base/system/version.h"
#include "cli/commands/commands.h"
#include "cli/frame/command_line.h"
#include "cli/frame/completion.h"
#include "cli/frame/help.h"
#include "cli/frame/session.h"
#include "compilation/limit_errors.h"
#include "ruby/worker/pool.h"
#include "site/settings/settings_table.h"

namespace bunraku {
namespace {

int fail_usage(Session& session, std::string_view command, std::string_view problem) {
  std::string hint = command.empty() ? "bunraku help" : fmt::format("bunraku help {}", command);
  return session.fail(ErrorKind::kUsage, fmt::format("{} (see `{}`)", problem, hint));
}

// Adds advice on how environments are found, for an environment that was not found.
EvaluationError with_advice(EvaluationError error, const Command& command, Session& session) {
  if (error.diagnostic().issue != Issue::kUnknownEnvironment || !command.uses_repository() ||
      session.repository() != nullptr) {
    return error;
  }
  std::vector<std::string>& notes = error.diagnostic().notes;
  const std::string& name = error.diagnostic().arguments.front();
  if (is_directory(name)) {
    notes.push_back(
        fmt::format("there is a directory '{0}' here; write --environment ./{0} to use it", name));
  }
  notes.push_back(
      fmt::format("no environment.conf, Puppetfile, bunraku.toml or metadata.json was found in {} "
                  "or above it",
                  absolute_path(".")));
  notes.push_back(
      "run it inside a control repository or a module, or name one: --environment DIR; "
      "--environmentpath DIRS says where environments are by name");
  return error;
}

}  // namespace

int run_command(const Command& command, Session& session) {
  for (const std::string& name : session.options().unknown_settings) {
    session.warn(unknown_setting_message(name));
  }
  try {
    if (command.uses_repository()) session.use_repository();
    return command.execute(session);
  } catch (const UsageError& error) {
    return fail_usage(session, command.name(), error.what());
  } catch (const EvaluationError& error) {
    return session.fail(with_advice(error, command, session));
  } catch (const LimitError& error) {
    return session.fail(compilation::limit_error(error, session.options().limits));
  } catch (const FileError& error) {
    return session.fail(ErrorKind::kError, error.what());
  } catch (const DataError& error) {
    return session.fail(ErrorKind::kError, error.what());
  } catch (const RegexError& error) {
    return session.fail(ErrorKind::kError, error.what());
  } catch (const std::bad_alloc&) {
    return session.fail(ErrorKind::kError, "Out of memory");
  } catch (const ProcessError& error) {
    return session.fail(ErrorKind::kError, fmt::format("No program can be run: {}", error.what()));
  } catch (const std::system_error& error) {
    // The system refuses a thread, memory or a file.
    return session.fail(ErrorKind::kError,
                        fmt::format("The system refuses what is needed: {}", error.what()));
  } catch (const std::exception& error) {
    return session.fail(
        ErrorKind::kError,
        fmt::format("An unexpected error, which is a bug of this program: {}", error.what()));
  }
}

namespace {

int show_help(const ParsedCommandLine& line, Session& session) {
  const HelpStyle style{terminal_width(STDOUT_FILENO), session.has_color_output()};
  if (line.command != nullptr) {
    session.print(command_help(*line.command, style, session.options().help_all));
  } else {
    session.print(overview_help(session.commands(), line.group, style));
  }
  return kExitSuccess;
}

// The log format in the environment variable BUNRAKU_LOG_FORMAT, unless the command line has one.
void take_log_format_of_environment(CommonOptions& options) {
  const char* value = std::getenv("BUNRAKU_LOG_FORMAT");
  const std::string_view format = value == nullptr ? "" : value;
  if (format == "one-line") options.log.format = LogFormat::kOneLine;
  if (format == "json") options.log.format = LogFormat::kJson;
}

// Finds the log format anywhere in the command line, so that mistakes in the line are reported in
// it.
void find_log_format(std::span<const std::string> words, CommonOptions& options) {
  for (size_t i = 0; i < words.size(); ++i) {
    const bool is_json =
        words[i] == "--log-format=json" ||
        (words[i] == "--log-format" && i + 1 < words.size() && words[i + 1] == "json");
    if (is_json) options.log.format = LogFormat::kJson;
  }
}

// Answers requests of the scripts of `bunraku completion`: a line for each word, with its help
// after a tab.
int complete(std::span<const std::string> words) {
  const std::vector<Command> commands = all_commands();
  for (const Completion& completion : completions(words, commands)) {
    fmt::print("{}{}{}\n", completion.word, completion.help.empty() ? "" : "\t", completion.help);
  }
  return std::fflush(stdout) == 0 ? kExitSuccess : kExitFailure;
}

// Parses the line into `options` and `line`, and returns the mistake, if any.
std::optional<std::string> problem_of(std::span<const std::string> words,
                                      std::span<const Command> commands, CommonOptions& options,
                                      ParsedCommandLine& line) {
  options = {};
  line = {};
  take_log_format_of_environment(options);
  try {
    parse_command_line(words, commands, options, line);
    return {};
  } catch (const UsageError& error) {
    find_log_format(words, options);
    return error.what();
  }
}

// The commands that the line may need: all of them for suggestions and help, none for the version.
std::vector<Command> commands_for(std::span<const std::string> words) {
  std::vector<Command> commands;
  if (words.size() == 1 && words[0] == "--version") return commands;
  if (!words.empty() && words[0] != "help") commands = commands_of(words[0]);
  return commands.empty() ? all_commands() : commands;
}

int run(std::span<const std::string> words) {
  if (!words.empty() && words[0] == "__complete") return complete(words.subspan(1));
  std::vector<Command> commands = commands_for(words);
  CommonOptions options;
  ParsedCommandLine line;
  std::optional<std::string> problem = problem_of(words, commands, options, line);
  if (problem) {
    commands = all_commands();
    problem = problem_of(words, commands, options, line);
  }
  Session session(commands, options);
  if (problem) return fail_usage(session, line.group, *problem);
  int exit_code = kExitSuccess;
  if (options.help) {
    exit_code = show_help(line, session);
  } else if (options.version) {
    session.print(fmt::format("bunraku {} (Puppet language {})\n", kVersion, kReferenceVersion));
  } else if (line.command != nullptr) {
    exit_code = run_command(*line.command, session);
  } else {
    // A group of commands by itself is not a command.
    exit_code = show_help(line, session);
    if (!line.group.empty()) exit_code = kExitUsage;
  }
  if (!session.flush() && exit_code == kExitSuccess) exit_code = kExitFailure;
  return exit_code;
}

}  // namespace

int run_program(std::span<const std::string> words) {
  // A closed reader is noticed where output is written.
  std::signal(SIGPIPE, SIG_IGN);
  // A file beyond the size limit (ulimit -f) is an error where it is written.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    const int exit_code = run(words);
    RubyPool::instance().end();
    finish_processes();
    return exit_code;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "Error: Out of memory\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "Error: {}\n", error.what());
  }
  return kExitFailure;
}

}  // namespace bunraku
