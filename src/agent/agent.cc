// Processes, locks, schedules and signals of the agent.
#include "agent/agent.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "agent/bootstrap.h"
#include "agent/lock_files.h"
#include "apply/transaction/failure.h"
#include "apply/transaction/transaction.h"
#include "base/system/file_system.h"
#include "base/system/process.h"
#include "base/system/stack.h"
#include "base/system/version.h"

namespace bunraku::agent {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::seconds;

constexpr int kNoRun = 1;            // exit status of a child: no run, or a failed one
constexpr int kNoCertificate = 100;  // no certificate, and the time to wait for one is over
constexpr const char* kClient = "Puppet configuration client";

void stop_running(int) {
  apply::Transaction::request_stop();
}

// Ends the process when the run exceeds its time limit.
class Watchdog {
 public:
  Watchdog(Seconds limit, apply::RunLog& log, const std::string& lock) {
    if (limit.count() <= 0) return;
    thread_ = std::thread([this, limit, &log, lock] {
      std::unique_lock guard(mutex_);
      if (done_.wait_for(guard, limit, [this] { return is_over_; })) return;
      log.log(LogLevel::kErr,
              fmt::format("Execution of {} did not complete within {} seconds and was terminated.",
                          kClient, limit.count()));
      remove_lock_of(lock, getpid());
      _exit(kNoRun);
    });
  }
  ~Watchdog() {
    {
      const std::scoped_lock guard(mutex_);
      is_over_ = true;
    }
    done_.notify_all();
    if (thread_.joinable()) thread_.join();
  }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable done_;
  bool is_over_ = false;
  std::thread thread_;
};

Seconds random_seconds(int64_t limit) {
  if (limit <= 0) return Seconds(0);
  std::random_device device;
  return Seconds(std::uniform_int_distribution<int64_t>(0, limit)(device));
}

std::string_view signal_name(int signal) {
  switch (signal) {
    case SIGHUP:
      return "HUP";
    case SIGINT:
      return "INT";
    case SIGTERM:
      return "TERM";
    case SIGUSR1:
      return "USR1";
    case SIGUSR2:
      return "USR2";
    default:
      return "";
  }
}

}  // namespace

// Blocks signals and reads them one by one.
class Agent::Signals {
 public:
  Signals() {
    sigemptyset(&set_);
    for (const int signal : {SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGCHLD})
      sigaddset(&set_, signal);
    sigprocmask(SIG_BLOCK, &set_, &before_);
  }
  ~Signals() { restore(); }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  // Restores the signal mask, in a child and before another program runs.
  void restore() const { sigprocmask(SIG_SETMASK, &before_, nullptr); }

  // Stores a signal for next(), which is called after the run.
  void postpone(int signal) { postponed_.push_back(signal); }
  // Returns a stored signal, or otherwise the result of wait().
  int next(Clock::time_point deadline) {
    if (postponed_.empty()) return wait(deadline);
    const int signal = postponed_.front();
    postponed_.erase(postponed_.begin());
    return signal;
  }

  // Returns the next signal, or 0 when none arrives before the deadline.
  int wait(Clock::time_point deadline) const {
    const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(deadline - Clock::now());
    timespec time = {};
    if (left.count() > 0) {
      time.tv_sec = left.count() / 1'000'000'000;
      time.tv_nsec = left.count() % 1'000'000'000;
    }
    const int signal = sigtimedwait(&set_, nullptr, &time);
    return signal > 0 ? signal : 0;
  }

 private:
  sigset_t set_;
  sigset_t before_;
  std::vector<int> postponed_;
};

Agent::Agent(AgentOptions options, HostAccess& access, LogSink& sink)
    : options_(std::move(options)), access_(access), log_(sink), sink_(sink) {
  load();
}

void Agent::load() {
  settings_.emplace(options_.load_settings());
}

bool Agent::is_disabled(const Settings& settings) {
  const DisabledLock lock(settings.text("agent_disabled_lockfile"));
  if (!lock.is_set()) return false;
  log_.log(LogLevel::kNotice,
           fmt::format("Skipping run of {}; administratively disabled (Reason: '{}');\nUse 'puppet "
                       "agent --enable' to re-enable.",
                       kClient, lock.message()));
  return true;
}

std::optional<int> Agent::run_once() {
  if (is_disabled(*settings_)) return std::nullopt;
  Signals signals;
  if (settings_->is_true("splay")) {
    const Seconds time = random_seconds(settings_->integer("splaylimit"));
    log_.log(LogLevel::kInfo,
             fmt::format("Sleeping for {} seconds (splay is enabled)", time.count()));
    if (!sleep(time, signals)) return std::nullopt;
    if (is_disabled(*settings_)) return std::nullopt;
  }
  bool is_over = false;
  return supervise(ChildKind::kOnetime, signals, is_over);
}

// Returns false when a signal demands the end.
bool Agent::sleep(Seconds time, Signals& signals) {
  const Clock::time_point end = Clock::now() + time;
  while (true) {
    const int signal = signals.wait(end);
    if (signal == 0) return true;
    if (signal == SIGINT || signal == SIGTERM) {
      log_.log(LogLevel::kNotice, fmt::format("Caught {}; exiting", signal_name(signal)));
      return false;
    }
  }
}

// Runs a child process and waits for it. Sets `is_over` when this process has to end, too.
std::optional<int> Agent::supervise(ChildKind kind, Signals& signals, bool& is_over) {
  const pid_t child = fork();
  if (child < 0) {
    log_.log(LogLevel::kErr, fmt::format("Could not run {}: {}", kClient, std::strerror(errno)));
    return std::nullopt;
  }
  if (child == 0) {
    signals.restore();
    _exit(run_as_child(kind));
  }
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    const int signal = signals.wait(Clock::now() + Seconds(5));
    if (signal == SIGINT || signal == SIGTERM) {
      log_.log(LogLevel::kNotice, fmt::format("Caught {}; exiting", signal_name(signal)));
      is_over = true;
      kill(child, SIGTERM);
    } else if (signal == SIGUSR2 && options_.reopen_log) {
      options_.reopen_log();
    } else if (signal == SIGUSR1 || signal == SIGHUP) {
      signals.postpone(signal);
    }
  }
  remove_lock_of(settings_->text("agent_catalog_run_lockfile"), child);
  if (!WIFEXITED(status)) {
    log_.log(LogLevel::kErr, fmt::format("The run was ended by signal {}", WTERMSIG(status)));
    return std::nullopt;
  }
  const int code = WEXITSTATUS(status);
  if (code == kNoCertificate) {
    is_over = true;
    exit_code_ = kNoRun;
  }
  if (code == kNoRun || code == kNoCertificate) return std::nullopt;
  return code;
}

int Agent::run_as_child(ChildKind kind) {
  int code = kNoRun;
  auto task = [&] { code = run_with_certificates(kind); };
  try {
    run_on_large_stack(task);
  } catch (const std::exception& error) {
    log_.log(LogLevel::kErr, fmt::format("Could not run {}: {}", kClient, error.what()));
  }
  return code;
}

int Agent::run_with_certificates(ChildKind kind) {
  try {
    ServerSession session(*settings_, log_);
    BootstrapOptions bootstrap;
    bootstrap.is_onetime = kind == ChildKind::kOnetime;
    bootstrap.is_daemon = settings_->is_true("daemonize");
    bootstrap.print = options_.print;
    bootstrap.wait_for_certificate = options_.wait_for_certificate.value_or(
        kind == ChildKind::kOnetime ? 0 : settings_->integer("waitforcert"));
    try {
      Bootstrap(*settings_, session, log_, bootstrap).run();
    } catch (const BootstrapError& error) {
      if (!error.is_logged()) log_.log(LogLevel::kErr, error.what());
      return error.is_logged() ? kNoCertificate : kNoRun;
    }
    return run_locked(session, kind).value_or(kNoRun);
  } catch (const std::exception& error) {
    log_.log(LogLevel::kErr, fmt::format("Could not run {}: {}", kClient, error.what()));
    return kNoRun;
  }
}

std::optional<int> Agent::run_locked(ServerSession& session, ChildKind kind) {
  PidLock lock(settings_->text("agent_catalog_run_lockfile"));
  create_directory(std::string(parent_directory(lock.path())));
  const int64_t interval = settings_->integer("waitforlock");
  const bool waits_forever = settings_->text("maxwaitforlock") == "unlimited";
  const Clock::time_point deadline =
      Clock::now() + Seconds(waits_forever ? 0 : settings_->integer("maxwaitforlock"));
  while (!lock.take()) {
    if (interval < 1) {
      log_.log(LogLevel::kNotice,
               fmt::format("Run of {} already in progress; skipping  ({} exists)", kClient,
                           lock.path()));
      return std::nullopt;
    }
    if (!waits_forever && Clock::now() >= deadline) {
      log_.log(LogLevel::kNotice,
               "Exiting now because the maxwaitforlock timeout has been exceeded.");
      return std::nullopt;
    }
    log_.log(LogLevel::kInfo,
             "Another puppet instance is already running; --waitforlock flag used, "
             "waiting for running instance to finish.");
    log_.log(LogLevel::kInfo, fmt::format("Will try again in {} seconds.", interval));
    std::this_thread::sleep_for(Seconds(interval));
  }
  if (is_disabled(*settings_)) return std::nullopt;
  prepare_processes();
  const Watchdog watchdog(Seconds(settings_->integer("runtimeout")), log_, lock.path());
  std::signal(SIGTERM, stop_running);
  RunRequest request;
  request.job_id = options_.job_id;
  if (kind == ChildKind::kOnetime) request.started = options_.started;
  request.print = options_.print;
  request.observer = options_.observer;
  request.finished = options_.finished;
  const std::optional<int> result =
      Run(*settings_, session, access_, sink_, log_, std::move(request)).execute();
  std::signal(SIGTERM, SIG_DFL);
  return result;
}

void Agent::restart() {
  std::string shown;
  for (const std::string& word : options_.command_line) shown += (shown.empty() ? "" : " ") + word;
  log_.log(LogLevel::kNotice, fmt::format("Restarting with '{}'", shown));
  std::vector<char*> words;
  for (std::string& word : options_.command_line) words.push_back(word.data());
  words.push_back(nullptr);
  execv("/proc/self/exe", words.data());
  log_.log(LogLevel::kErr, fmt::format("Could not restart: {}", std::strerror(errno)));
}

int Agent::run_daemon() {
  Signals signals;
  auto pid_file = std::make_unique<PidLock>(settings_->text("pidfile"));
  create_directory(std::string(parent_directory(pid_file->path())));
  if (!pid_file->take()) {
    log_.log(LogLevel::kErr, fmt::format("Could not create PID file: {}", pid_file->path()));
    return kNoRun;
  }
  log_.log(LogLevel::kNotice, fmt::format("Starting Puppet client version {}", kReferenceVersion));
  FileStamp stamp = file_stamp(settings_->text("config"));
  const auto run_interval = [&] {
    return Seconds(std::max<int64_t>(settings_->integer("runinterval"), 1));
  };
  const int64_t limit = settings_->is_true("splay") ? settings_->integer("splaylimit") : 0;
  const Seconds splay = random_seconds(limit);
  log_.log(LogLevel::kInfo,
           fmt::format("Running agent every {} seconds{}", run_interval().count(),
                       limit > 0 ? fmt::format(" with splay {} of {} seconds", splay.count(), limit)
                                 : std::string()));
  Clock::time_point last = Clock::now() + splay - run_interval();
  bool is_over = false;
  const auto run_now = [&] {
    last = Clock::now();
    load();
    stamp = file_stamp(settings_->text("config"));
    if (!is_disabled(*settings_)) supervise(ChildKind::kDaemon, signals, is_over);
    return !is_over;
  };
  while (true) {
    const Clock::time_point next = last + run_interval();
    const int64_t file_timeout = settings_->integer("filetimeout");
    const Clock::time_point wake =
        file_timeout > 0 ? std::min(next, Clock::now() + Seconds(file_timeout)) : next;
    const int signal = signals.next(wake);
    if (signal == SIGINT || signal == SIGTERM) {
      log_.log(LogLevel::kNotice, fmt::format("Caught {}; exiting", signal_name(signal)));
      return 0;
    }
    if (signal == SIGHUP) {
      log_.log(LogLevel::kNotice, "Caught HUP; storing restart");
      log_.log(LogLevel::kNotice, "Processing restart");
      pid_file->release();
      signals.restore();
      restart();
      return kNoRun;
    }
    if (signal == SIGUSR2) {
      log_.log(LogLevel::kNotice, "Caught USR2; storing reopen_logs");
      log_.log(LogLevel::kNotice, "Processing reopen_logs");
      if (options_.reopen_log) options_.reopen_log();
    }
    if (signal == SIGUSR1) {
      log_.log(LogLevel::kNotice, "Caught USR1; storing reload");
      log_.log(LogLevel::kNotice, "Processing reload");
      if (!run_now()) return exit_code_;
    } else if (Clock::now() >= next) {
      if (!run_now()) return exit_code_;
    } else if (file_stamp(settings_->text("config")) != stamp) {
      stamp = file_stamp(settings_->text("config"));
      load();
    }
  }
}

void enable_runs(const Settings& settings, apply::RunLog& log) {
  log.log(LogLevel::kNotice, "Enabling Puppet.");
  DisabledLock(settings.text("agent_disabled_lockfile")).clear();
}

void disable_runs(const Settings& settings, const std::string& reason, apply::RunLog& log) {
  log.log(LogLevel::kNotice, "Disabling Puppet.");
  const std::string path = settings.text("agent_disabled_lockfile");
  create_directory(std::string(parent_directory(path)));
  DisabledLock(path).set(reason);
}

}  // namespace bunraku::agent
