#include "cli/frame/session.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "site/settings/settings_check.h"
#include "base/diagnostics/diagnostic.h"
#include "base/diagnostics/diagnostic_renderer.h"
#include "compilation/catalog_compilation.h"

namespace bunraku {
namespace {

// Output is handed to the system in pieces of about this size.
constexpr size_t kOutputPiece = size_t{1} << 20;

LogOptions log_options(const CommonOptions& options) {
  LogOptions log = options.log;
  log.color = use_color(options.color, STDERR_FILENO) && log.format == LogFormat::kText;
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

// A message without the place at its end: " (file: F, line: L, column: C)".
std::string_view without_place(std::string_view text) {
  if (!text.ends_with(')')) return text;
  size_t begin = std::max(text.rfind(" (file: ") + 1, text.rfind(" (line: ") + 1);
  if (begin == 0 || text.substr(begin).find(')') != text.size() - begin - 1) return text;
  return text.substr(0, begin - 1);
}

std::string_view without_prefix(std::string_view text) {
  for (std::string_view prefix : {"Evaluation Error: ", "Resource Statement Error: "}) {
    if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  }
  if (text.starts_with("Error while evaluating a")) {
    size_t comma = text.find(", ");
    if (comma != std::string_view::npos) text.remove_prefix(comma + 2);
  }
  return text;
}

// An error inside a class or define is told again by whoever declared that, with a prefix and place
// of its own; this is the text that was told first.
std::string innermost_text(std::string_view text) {
  for (size_t before = text.size() + 1; before != text.size();) {
    before = text.size();
    text = without_prefix(without_place(text));
  }
  return std::string(text);
}

}  // namespace

std::string cause_of(const Diagnostic& diagnostic) {
  return innermost_text(diagnostic.message());
}

Session::Session(std::span<const Command> commands, const CommonOptions& options)
    : commands_(commands),
      options_(options),
      has_color_output_(use_color(options.color, STDOUT_FILENO)),
      shows_snippets_(options.log.format == LogFormat::kText && isatty(STDERR_FILENO) != 0),
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
  LogRecord record = log_record(diagnostic);
  if (!log_.takes(record.level)) return;
  if (shows_snippets_) {
    SnippetOptions options{options_.log.color, terminal_width(STDERR_FILENO)};
    std::fputs(snippet(diagnostic, options).c_str(), stderr);
    return;
  }
  log_.log(record);
}

int Session::fail(const EvaluationError& error, std::string_view suffix) {
  const Diagnostic& diagnostic = error.diagnostic();
  if (shows_snippets_) {
    report(diagnostic);
    return exit_code_of(error.kind());
  }
  return fail(error, error.kind(),
              fmt::format("{}{}{}", compilation::message_prefix(error.kind(), environment_),
                          one_line(diagnostic), suffix));
}

int Session::fail_outside_code(const EvaluationError& error) {
  const Diagnostic& diagnostic = error.diagnostic();
  if (diagnostic.primary.file != nullptr || shows_snippets_) return fail(error);
  constexpr std::string_view kCall = "Error while evaluating a Function Call, ";
  std::string message = one_line(diagnostic);
  if (message.starts_with(kCall)) message.erase(0, kCall.size());
  return fail(error, error.kind() == ErrorKind::kEvaluation ? ErrorKind::kError : error.kind(),
              std::move(message));
}

int Session::fail(const EvaluationError& error, ErrorKind kind, std::string message) {
  const Diagnostic& diagnostic = error.diagnostic();
  FatalRecord fatal;
  fatal.kind = kind;
  fatal.cause = cause_of(diagnostic);
  fatal.message = std::move(message);
  // The reference knows neither code nor place of what fails outside any expression.
  if (diagnostic.issue != Issue::kCatalogError) {
    LogRecord record = log_record(diagnostic);
    fatal.issue_code = record.issue_code;
    fatal.file = record.file;
    fatal.line = record.line;
    fatal.column = record.column;
  }
  log_.log_fatal(fatal);
  return exit_code_of(kind);
}

int Session::fail(ErrorKind kind, std::string message) {
  FatalRecord fatal;
  fatal.kind = kind;
  fatal.cause = message;
  fatal.message = std::move(message);
  log_.log_fatal(fatal);
  return exit_code_of(kind);
}

}  // namespace bunraku
