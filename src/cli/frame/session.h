// The environment of a running command: its common options, the log, standard output, and the
// reporting of failures.
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
  // The requested format, or the command's default.
  std::string_view format(const Command& command) const;
  // As above, for commands that know their default.
  std::string_view format_or(std::string_view otherwise) const {
    return options_.format.empty() ? otherwise : std::string_view(options_.format);
  }

  // Loads the settings of the command line and of puppet.conf, whose `section` takes precedence
  // over [main]: "server" for compilations and look-ups, as in the reference. Problems of the file
  // are logged. `before` takes precedence over puppet.conf but not over the command line.
  Settings load_settings(std::string section,
                         const std::vector<std::pair<std::string, std::string>>& before = {});
  // The sources from which these settings are made.
  SettingsSources settings_sources(std::string section) const;

  // Makes the repository of the current directory the environment, unless the command line names an
  // environment path; with --environment DIR, that directory. Throws EvaluationError and
  // UsageError.
  void use_repository();
  // Chooses the environment in an argument, as --environment does: a name or a directory.
  void choose_environment(std::string_view environment);
  // The setting on the command line; null when it is not given.
  const std::string* given(std::string_view setting) const;
  // Null when there is none.
  const Repository* repository() const { return repository_.get(); }
  // For commands that must not answer from an empty environment: throws EvaluationError when the
  // environment has no directory.
  void require_environment();
  // Settings loaded later ignore the repository.
  void leave_repository() { repository_ = nullptr; }

  // The environment shown in messages about syntax errors; initially that of the command line.
  void set_environment(std::string name) { environment_ = std::move(name); }

  // The log: standard error, and the destinations that were set.
  LogSink& log() { return log_fork_; }
  // Directs later records to these destinations, and to the console only if `has_console`.
  void set_log_destinations(std::vector<std::unique_ptr<LogDestination>> destinations,
                            bool has_console);
  // Reopens the destinations' files after they were moved away.
  void reopen_logs();
  // The two halves of log(), for sinks that show some records on standard output.
  LogSink& other_logs() { return other_logs_; }
  LogSink* console_log() { return has_console_log_ ? &log_ : nullptr; }
  void warn(std::string message);

  // Adds to the document on standard output. Large documents may be written in many pieces.
  void print(std::string_view text);
  // Completes the program's output. Returns false when it could not be written; a reader that has
  // closed the pipe is not a failure.
  bool flush();

  // Whether standard output and the log are coloured.
  bool has_color_output() const { return has_color_output_; }
  bool has_color_log() const { return options_.log.color; }

  // Reports a diagnostic on standard error: with source lines for people, otherwise on one line or
  // as JSON.
  void report(const Diagnostic& diagnostic);

  // Reports the error that ends the run, and returns the exit code. The message is completed as in
  // the reference: its prefix, its place, and `suffix` (" on node NAME", if any).
  int fail(const EvaluationError& error, std::string_view suffix = {});
  int fail(ErrorKind kind, std::string message);
  // As above for commands that call a function without code: the parts of messages about the call
  // and evaluation are left out, unless code in a file has failed.
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
  LogFork other_logs_;  // forwards to destinations_
  LogFork log_fork_;    // forwards to those, and to log_
  bool has_console_log_ = true;
  std::string environment_ = "production";
  std::shared_ptr<const Repository> repository_;
  std::string output_;
  bool is_output_closed_ = false;
  bool has_output_failed_ = false;
};

}  // namespace bunraku
