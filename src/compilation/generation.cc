// The lifetime of a version of an environment.
#include "compilation/generation.h"

#include <atomic>
#include <cstdlib>

#include "base/diagnostics/log.h"
#include "base/text/replacement.h"
#include "compilation/environment_version.h"
#include "site/node/commands.h"
#include "site/settings/repository.h"

namespace bunraku::compilation {
namespace {

uint64_t next_number() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

RubyOptions ruby_of(RubyOptions options, uint64_t number, const Lifetime& lifetime) {
  if (lifetime.has_own_workers) options.generation = number;
  return options;
}

}  // namespace

Lifetime Lifetime::of_timeout(std::string_view text) {
  Lifetime lifetime;
  if (text.empty() || text == "unlimited") return lifetime;
  const std::string digits(text);
  char* end = nullptr;
  long long seconds = std::strtoll(digits.c_str(), &end, 10);
  switch (*end) {
    case 'm':
      seconds *= 60;
      break;
    case 'h':
      seconds *= 3600;
      break;
    case 'd':
      seconds *= 86'400;
      break;
    case 'y':
      seconds *= 365LL * 86'400;
      break;
    default:
      break;
  }
  if (seconds <= 0) {
    lifetime.follows_files = true;
  } else {
    lifetime.timeout = std::chrono::seconds(seconds);
  }
  return lifetime;
}

Generation::Generation(std::shared_ptr<Environment> environment,
                       std::unique_ptr<ShownSettings> settings, LookupSettings lookup,
                       RubyOptions ruby, Lifetime lifetime,
                       std::unique_ptr<const TreeStamps> stamps)
    : number_(next_number()),
      environment_(std::move(environment)),
      settings_(std::move(settings)),
      lookup_(std::move(lookup)),
      ruby_(ruby_of(std::move(ruby), number_, lifetime)),
      lifetime_(lifetime),
      stamps_(std::move(stamps)) {}

Generation::~Generation() {
  if (lifetime_.has_own_workers) RubyPool::instance().discard(number_);
}

namespace {

// Runs config_version. A repository may be anywhere, so the environment path in its command is
// replaced by one where a link of the environment's name leads to the repository.
std::string version_of_repository(const Environment& environment, const std::string& command,
                                  std::string_view environmentpath) {
  const Repository* repository = environment.repository();
  const bool names_path = repository != nullptr && !environmentpath.empty() &&
                          command.find(environmentpath) != command.npos;
  if (!names_path) return run_config_version(command);
  const EnvironmentVersion link(repository->directory, environment.name(), repository->directory);
  return run_config_version(replaced(command, environmentpath, link.environmentpath()));
}

std::string_view text_setting(const ShownSettings& settings, std::string_view name) {
  const Value* value = settings.hash.as_hash().find(name);
  return value != nullptr && value->is_string() ? value->as_string() : std::string_view();
}

// Adds where the failed command is set, and the remedy.
void explain_version(Diagnostic& diagnostic, const Range& line, bool is_repository) {
  if (line.file == nullptr) return;
  diagnostic.labels.push_back({line, "set here"});
  std::string_view remedy = "`--config_version ''` runs no command";
  if (is_repository) {
    diagnostic.notes.emplace_back("catalogs are compiled without its version");
    remedy = "run no command: `config_version = \"\"` below [settings] in bunraku.toml";
  }
  diagnostic.fixes.push_back({{}, {}, std::string(remedy)});
}

}  // namespace

Generation::Version Generation::run_version_command(const std::string& command) const {
  const Range line = environment_->config_version_line();
  const bool is_repository = environment_->repository() != nullptr;
  try {
    return {
        version_of_repository(*environment_, command, text_setting(*settings_, "environmentpath")),
        nullptr};
  } catch (EvaluationError& error) {
    explain_version(error.diagnostic(), line, is_repository);
    if (!is_repository || line.file == nullptr) throw;
    auto failure = std::make_shared<Diagnostic>(error.diagnostic());
    failure->severity = Severity::kWarning;
    return {{}, std::move(failure)};
  }
}

std::string Generation::config_version(LogSink* log) {
  const std::optional<std::string>& command = environment_->config_version();
  if (!command || command->empty()) return {};
  if (!lifetime_.follows_files) {
    const std::lock_guard lock(version_mutex_);
    if (version_) return *version_;
  }
  // Two threads may run it concurrently; the first answer is kept.
  const Version answer = run_version_command(*command);
  if (!lifetime_.follows_files) {
    const std::lock_guard lock(version_mutex_);
    if (version_) return *version_;
    version_ = answer.text;
  }
  if (answer.failure != nullptr && log != nullptr) log->log(log_record(*answer.failure));
  return answer.text;
}

bool Generation::is_current() const {
  if (lifetime_.timeout && std::chrono::steady_clock::now() - made_ >= *lifetime_.timeout) {
    return false;
  }
  if (!lifetime_.follows_files) return true;
  if (lifetime_.look_interval.count() == 0) return !have_files_changed();
  const int64_t now = std::chrono::duration_cast<std::chrono::milliseconds>(
                          std::chrono::steady_clock::now() - made_)
                          .count();
  int64_t next = next_look_.load();
  // One thread checks the files, and the others use the present state.
  const bool looks = now >= next && next_look_.compare_exchange_strong(
                                        next, now + lifetime_.look_interval.count());
  if (looks && have_files_changed()) has_changed_ = true;
  return !has_changed_;
}

bool Generation::have_files_changed() const {
  return data_files_.have_changed() || (stamps_ != nullptr && stamps_->have_changed());
}

}  // namespace bunraku::compilation
