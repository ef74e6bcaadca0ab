// What a running command works with: its common options, the log, standard output, and how failures
// are reported.
#pragma once

#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/diagnostics/log.h"
#include "base/diagnostics/log_destination.h"
#include "cli/frame/command.h"
#include "cli/frame/common_options.h"
#include "site/settings/repository.h"
#include "site/settings/settings.h"

namespace bunraku {

class EvaluationError;
struct Diagnostic;

class Session {
 public:
  Session(std::span<const Command> commands, const CommonOptions& options);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const CommonOptions& options() const { return options_; }
  std::span<const Command> commands() const { return commands_; }
  // The format asked for, or the command's default.
  std::string_view format(const Command& command) const;
  // The same, for commands that know their default.
  std::string_view format_or(std::string_view otherwise) const {
    return options_.format.empty() ? otherwise : std::string_view(options_.format);
  }

  // The settings of the command line and of puppet.conf, whose `section` goes before [main]:
  // "server" for what compiles or looks up, as in the reference. Problems of the file are logged.
  // `before` goes before puppet.conf and after the command line.
  Settings load_settings(std::string section,
                         const std::vector<std::pair<std::string, std::string>>& before = {});
  // What such settings are made from.
  SettingsSources settings_sources(std::string section) const;

  // Lets the repository that this directory is in stand for the environment, unless the command
  // line says where environments are; of --environment DIR that directory. Throws EvaluationError
  // and UsageError.
  void use_repository();
  // The environment that an argument names, as --environment does: a name or a directory.
  void choose_environment(std::string_view environment);
  // The setting as the command line has it; null when it does not say.
  const std::string* given(std::string_view setting) const;
  // Null when there is none.
  const Repository* repository() const { return repository_.get(); }
  // For commands that may not answer from an empty environment. Throws EvaluationError where the
  // environment has no directory.
  void require_environment();
  // Settings that are loaded from here on know of no repository.
  void leave_repository() { repository_ = nullptr; }

  // The environment that messages about syntax errors name; that of the command line unless said
  // otherwise.
  void set_environment(std::string name) { environment_ = std::move(name); }

  // Records for standard error, and for the destinations that were set.
  LogSink& log() { return log_fork_; }
  // From now on records go there, and to the console only if `has_console`.
  void set_log_destinations(std::vector<std::unique_ptr<LogDestination>> destinations,
                            bool has_console);
  // Opens the files of the destinations anew: they were moved away.
  void reopen_logs();
  // For sinks that show some records on standard output: the two halves of log().
  LogSink& other_logs() { return other_logs_; }
  LogSink* console_log() { return has_console_log_ ? &log_ : nullptr; }
  void warn(std::string message);

  // Adds to the document on standard output. Large ones may come in many pieces.
  void print(std::string_view text);
  // Ends the program's output. False when it could not be written; a reader that went away is no
  // failure.
  bool flush();

  // Whether the two streams are to be coloured.
  bool has_color_output() const { return has_color_output_; }
  bool has_color_log() const { return options_.log.color; }

  // Reports a diagnostic on standard error: with its source lines when people look, on one line or
  // as JSON otherwise.
  void report(const Diagnostic& diagnostic);

  // Reports the error that ends the run, and returns the exit code. The message is completed as the
  // reference does: its prefix, its place, and `suffix` (" on node NAME", where there is one).
  int fail(const EvaluationError& error, std::string_view suffix = {});
  int fail(ErrorKind kind, std::string message);
  // The same for commands that call a function where there is no code: what messages say of the
  // call and of evaluation is left out, unless code of a file has failed.
  int fail_outside_code(const EvaluationError& error);

 private:
  int fail(const EvaluationError& error, ErrorKind kind, std::string message);
  void take_repository(Repository repository);
  bool may_search_repository() const;

  std::span<const Command> commands_;
  CommonOptions options_;
  bool has_color_output_;
  LogWriter log_;
  std::vector<std::unique_ptr<LogDestination>> destinations_;
  LogFork other_logs_;  // destinations_
  LogFork log_fork_;    // those, and log_
  bool has_console_log_ = true;
  std::string environment_ = "production";
  std::shared_ptr<const Repository> repository_;
  std::string output_;
  bool is_output_closed_ = false;
  bool has_output_failed_ = false;
};

}  // namespace bunraku
