#include "cli/frame/session.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/diagnostics/diagnostic.h"
#include "base/diagnostics/diagnostic_renderer.h"
#include "base/system/file_system.h"
#include "compilation/catalog_compilation.h"
#include "site/settings/settings_check.h"

namespace bunraku {
namespace {

// Output is handed to the system in pieces of about this size.
constexpr size_t kOutputPiece = size_t{1} << 20;

LogOptions log_options(const CommonOptions& options) {
  LogOptions log = options.log;
  log.color = use_color(options.color, STDERR_FILENO) && log.format != LogFormat::kJson;
  log.width = terminal_width(STDERR_FILENO);
  log.directory = absolute_path(".");
  return log;
}

int exit_code_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
      return kExitUsage;
    case ErrorKind::kUnrepresentable:
      return kExitUnrepresentable;
    default:
      return kExitFailure;
  }
}

}  // namespace

Session::Session(std::span<const Command> commands, const CommonOptions& options)
    : commands_(commands),
      options_(options),
      has_color_output_(use_color(options.color, STDOUT_FILENO)),
      log_(stderr, log_options(options)) {
  options_.log = log_options(options);
  for (const auto& [name, value] : options_.settings) {
    if (name == "environment") environment_ = value;
  }
}

std::string_view Session::format(const Command& command) const {
  return format_or(command.formats().empty() ? std::string_view()
                                             : std::string_view(command.formats().front()));
}

Settings Session::load_settings(std::string section) {
  check_first_settings({options_.settings});
  Settings settings({options_.settings, std::move(section)});
  log_problems(settings.problems(), log_);
  return settings;
}

void Session::warn(std::string message) {
  LogRecord record;
  record.level = LogLevel::kWarning;
  record.message = std::move(message);
  log_.log(record);
}

void Session::print(std::string_view text) {
  output_ += text;
  if (output_.size() >= kOutputPiece) flush();
}

bool Session::flush() {
  std::string_view rest = output_;
  while (!rest.empty() && !is_output_closed_) {
    ssize_t count = write(STDOUT_FILENO, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      is_output_closed_ = true;
      has_output_failed_ = errno != EPIPE;
      if (has_output_failed_)
        fail(ErrorKind::kError, fmt::format("Could not write the result: {}", strerror(errno)));
      break;
    }
    rest.remove_prefix(static_cast<size_t>(count));
  }
  output_.clear();
  return !has_output_failed_;
}

void Session::report(const Diagnostic& diagnostic) {
  log_.log(log_record(diagnostic));
}

int Session::fail(const EvaluationError& error, std::string_view suffix) {
  const Diagnostic& diagnostic = error.diagnostic();
  return fail(error, error.kind(),
              fmt::format("{}{}{}", compilation::message_prefix(error.kind(), environment_),
                          one_line(diagnostic), suffix));
}

int Session::fail_outside_code(const EvaluationError& error) {
  const Diagnostic& diagnostic = error.diagnostic();
  if (diagnostic.primary.file != nullptr) return fail(error);
  const bool is_of_call = diagnostic.issue == Issue::kErrorWhileEvaluating &&
                          diagnostic.arguments.front() == "a Function Call";
  return fail(error, error.kind() == ErrorKind::kEvaluation ? ErrorKind::kError : error.kind(),
              one_line(is_of_call ? *diagnostic.cause : diagnostic));
}

int Session::fail(const EvaluationError& error, ErrorKind kind, std::string message) {
  FatalRecord fatal;
  fatal.kind = kind;
  fatal.message = std::move(message);
  fatal.diagnostic = std::make_shared<const Diagnostic>(error.diagnostic());
  log_.log_fatal(fatal);
  return exit_code_of(kind);
}

int Session::fail(ErrorKind kind, std::string message) {
  FatalRecord fatal;
  fatal.kind = kind;
  fatal.message = std::move(message);
  log_.log_fatal(fatal);
  return exit_code_of(kind);
}

}  // namespace bunraku
