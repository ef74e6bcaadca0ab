#include "cli/frame/session.h"

#include "cli/frame/missing_modules.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <ranges>

#include "base/diagnostics/diagnostic.h"
#include "base/diagnostics/diagnostic_renderer.h"
#include "base/memory/arena.h"
#include "base/system/file_system.h"
#include "base/system/version.h"
#include "compilation/catalog_compilation.h"
#include "site/environment/environment_settings.h"
#include "site/settings/settings_check.h"
#include "values/sem_ver.h"

namespace bunraku {
namespace {

// Output is passed to the system in pieces of about this size.
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

// Checks that the repository accepts this version of the program.
void check_version(const RepositoryConf& conf) {
  if (conf.bunraku_version.empty()) return;
  Arena arena;
  const SemVerRange* range = nullptr;
  try {
    range = parse_sem_ver_range(arena, conf.bunraku_version);
  } catch (const EvaluationError& error) {
    throw UsageError(fmt::format("{}: {}", conf.path, error.what()));
  }
  const SemVer* version = parse_sem_ver(arena, kVersion);
  if (version != nullptr && includes(*range, *version)) return;
  throw UsageError(
      fmt::format("{} asks for bunraku {}; this is {}", conf.path, conf.bunraku_version, kVersion));
}

}  // namespace

Session::Session(std::span<const Command> commands, const CommonOptions& options)
    : commands_(commands),
      options_(options),
      has_color_output_(use_color(options.color, STDOUT_FILENO)),
      log_(stderr, log_options(options)) {
  options_.log = log_options(options);
  log_fork_.add(log_);
  for (const auto& [name, value] : options_.settings) {
    if (name == "environment") environment_ = value;
  }
}

std::string_view Session::format(const Command& command) const {
  return format_or(command.formats().empty() ? std::string_view()
                                             : std::string_view(command.formats().front()));
}

Settings Session::load_settings(std::string section,
                                const std::vector<std::pair<std::string, std::string>>& before) {
  check_first_settings(settings_sources("main"));
  SettingsSources sources = settings_sources(std::move(section));
  sources.command_line.insert(sources.command_line.begin(), before.begin(), before.end());
  Settings settings(std::move(sources));
  log_problems(settings.problems(), log());
  return settings;
}

SettingsSources Session::settings_sources(std::string section) const {
  return {options_.settings, std::move(section), repository_};
}

void Session::use_repository() {
  if (const std::string* environment = given("environment")) {
    return choose_environment(std::string(*environment));
  }
  if (!may_search_repository()) return;
  std::optional<Repository> found = find_repository(absolute_path("."));
  if (found) take_repository(std::move(*found));
}

const std::string* Session::given(std::string_view setting) const {
  const auto found =
      std::ranges::find_if(std::ranges::reverse_view(options_.settings),
                           [&](const auto& value) { return value.first == setting; });
  return found == options_.settings.rend() ? nullptr : &found->second;
}

bool Session::may_search_repository() const {
  return given("environmentpath") == nullptr && given("codedir") == nullptr &&
         given("confdir") == nullptr;
}

void Session::choose_environment(std::string_view environment) {
  // With an environment path on the command line, the value is always a name.
  const bool is_path =
      given("environmentpath") == nullptr &&
      (environment.find('/') != environment.npos || environment == "." || environment == "..");
  std::string name(environment);
  std::erase_if(options_.settings, [](const auto& given) { return given.first == "environment"; });
  if (is_path) {
    if (!is_directory(name)) throw UsageError(fmt::format("there is no directory '{}'", name));
    return take_repository(open_repository(absolute_path(name)));
  }
  repository_ = nullptr;
  environment_ = name;
  options_.settings.emplace_back("environment", name);
  const bool is_legal =
      std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
  if (!is_legal || !may_search_repository()) return;
  if (has_environment(Settings(settings_sources("main")))) return;
  // The repository acts as the environment of the requested name.
  std::optional<Repository> found = find_repository(absolute_path("."));
  if (!found) return;
  found->environment = std::move(name);
  take_repository(std::move(*found));
}

void Session::take_repository(Repository repository) {
  check_version(repository.conf);
  environment_ = repository.environment;
  repository_ = std::make_shared<const Repository>(std::move(repository));
}

void Session::require_environment() {
  const Settings settings = load_settings("server");
  if (!has_environment(settings)) open_environment(settings, true);
}

void Session::warn(std::string message) {
  LogRecord record;
  record.level = LogLevel::kWarning;
  record.message = std::move(message);
  log().log(record);
}

void Session::print(std::string_view text) {
  output_ += text;
  if (output_.size() >= kOutputPiece) flush();
}

bool Session::flush() {
  std::string_view rest = output_;
  while (!rest.empty() && !is_output_closed_) {
    const ssize_t count = write(STDOUT_FILENO, rest.data(), rest.size());
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
  log().log(log_record(diagnostic));
}

void Session::set_log_destinations(std::vector<std::unique_ptr<LogDestination>> destinations,
                                   bool has_console) {
  destinations_ = std::move(destinations);
  has_console_log_ = has_console;
  other_logs_ = LogFork();
  log_fork_ = LogFork();
  if (has_console) log_fork_.add(log_);
  for (const std::unique_ptr<LogDestination>& destination : destinations_) {
    other_logs_.add(*destination);
    log_fork_.add(*destination);
  }
}

void Session::reopen_logs() {
  for (const std::unique_ptr<LogDestination>& destination : destinations_) destination->reopen();
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
  auto diagnostic = std::make_shared<Diagnostic>(error.diagnostic());
  // Missing code may belong to a module that is not installed.
  std::string note = missing_module_note(root_cause(*diagnostic), *this);
  if (!note.empty()) diagnostic->notes.push_back(std::move(note));
  fatal.diagnostic = std::move(diagnostic);
  log().log_fatal(fatal);
  return exit_code_of(kind);
}

int Session::fail(ErrorKind kind, std::string message) {
  FatalRecord fatal;
  fatal.kind = kind;
  fatal.message = std::move(message);
  log().log_fatal(fatal);
  return exit_code_of(kind);
}

}  // namespace bunraku
