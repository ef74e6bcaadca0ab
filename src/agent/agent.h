// The agent: runs with their locks, one after the other as a daemon or a single one. Each run is a
// process of its own, so that its memory is returned and the daemon stays small.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "agent/host_access.h"
#include "agent/run.h"
#include "apply/transaction/context.h"
#include "base/diagnostics/log.h"
#include "site/settings/settings.h"

namespace bunraku::agent {

struct AgentOptions {
  // Loads the settings at the start, and again when their files have changed.
  std::function<Settings()> load_settings;
  std::string job_id;
  std::optional<int64_t> wait_for_certificate;  // seconds; no value: as in the settings
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
  std::function<void(const std::string&)> print;       // text for standard output
  decltype(apply::RunOptions::observer) observer;      // may be empty
  std::function<void(const apply::Report&)> finished;  // may be empty
  // Reopens the log files; may be empty.
  std::function<void()> reopen_log;
  // The program and its arguments, for a restart at SIGHUP.
  std::vector<std::string> command_line;
};

class Agent {
 public:
  // All must outlive the agent.
  Agent(AgentOptions options, HostAccess& access, LogSink& sink);

  // Makes one run in a child process. Returns 0, 2, 4 or 6; no value when there was no run or it
  // failed.
  std::optional<int> run_once();
  // Runs until a signal ends it. Returns the exit code.
  int run_daemon();

 private:
  class Signals;
  enum class ChildKind : uint8_t { kOnetime, kDaemon };

  std::optional<int> supervise(ChildKind kind, Signals& signals, bool& is_over);
  int run_as_child(ChildKind kind);
  int run_with_certificates(ChildKind kind);
  std::optional<int> run_locked(ServerSession& session, ChildKind kind);
  bool is_disabled(const Settings& settings);
  bool sleep(std::chrono::seconds time, Signals& signals);
  void restart();
  void load();

  AgentOptions options_;
  HostAccess& access_;
  apply::RunLog log_;
  LogSink& sink_;
  std::optional<Settings> settings_;
  int exit_code_ = 0;  // of a daemon that is ending
};

// Set and remove the lock of `--disable`.
void enable_runs(const Settings& settings, apply::RunLog& log);
void disable_runs(const Settings& settings, const std::string& reason, apply::RunLog& log);

}  // namespace bunraku::agent
