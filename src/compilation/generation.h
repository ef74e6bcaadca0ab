// One version of an environment: its trees and index, its data files, the settings that it shows,
// and the Ruby workers that have loaded its code.
//
// Many compilations share a generation. It is replaced as a whole, and destroyed with its Ruby
// workers when its last user ends. Safe from any thread; no lock is held during reading, parsing
// and running.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "compilation/tree_stamps.h"
#include "evaluation/scope.h"
#include "ruby/worker/pool.h"
#include "site/environment/environment.h"
#include "site/lookup/lookup.h"

namespace bunraku::compilation {

// The settings as $settings:: shows them.
struct ShownSettings {
  Arena arena;
  Value hash;
  VariableTable variables;  // the same, with $settings::all_local
};

// The lifetime of a current generation: forever, unless it is flushed or limited by a member.
struct Lifetime {
  bool follows_files = false;                   // until one of its files changes
  std::optional<std::chrono::seconds> timeout;  // since its creation
  // The minimum time between two checks of its files; 0: they are checked for each request.
  std::chrono::milliseconds look_interval{0};
  // Whether its Ruby workers serve only this generation. False in a run that never reads files
  // again.
  bool has_own_workers = true;

  // Parses the setting environment_timeout: "0", "unlimited", "5m".
  static Lifetime of_timeout(std::string_view text);
};

class Generation {
 public:
  // `stamps` must have been taken before the environment was read; null if changes are ignored.
  // `lookup` has the values of the settings, and is completed here by those of the environment.
  Generation(std::shared_ptr<Environment> environment, std::unique_ptr<ShownSettings> settings,
             LookupSettings lookup, RubyOptions ruby, Lifetime lifetime,
             std::unique_ptr<const TreeStamps> stamps);
  ~Generation();  // ends its Ruby workers
  Generation(const Generation&) = delete;
  Generation& operator=(const Generation&) = delete;

  // Unique in the process; later generations have larger numbers.
  uint64_t number() const { return number_; }
  const std::shared_ptr<Environment>& environment() const { return environment_; }
  const ShownSettings& settings() const { return *settings_; }
  const LookupSettings& lookup_settings() const { return lookup_; }
  DataFiles& data_files() { return data_files_; }
  // Workers started with these options serve this generation only.
  const RubyOptions& ruby() const { return ruby_; }

  // The output of the environment's config_version command, which runs once unless files are
  // checked for each request; empty when there is none. Throws EvaluationError when it fails. The
  // failure of a command in the environment.conf of a repository, which need not be deployed where
  // the command looks for it, is a warning instead: the output is empty, and the first caller's
  // log (unless null) gets the warning.
  std::string config_version(LogSink* log);

  // Returns whether it may serve another request. Checks files if its lifetime requires it.
  bool is_current() const;

 private:
  struct Version {
    std::string text;
    std::shared_ptr<const Diagnostic> failure;  // the warning; null: the command has not failed
  };
  Version run_version_command(const std::string& command) const;
  bool have_files_changed() const;

  const uint64_t number_;
  std::shared_ptr<Environment> environment_;
  std::unique_ptr<ShownSettings> settings_;
  LookupSettings lookup_;
  RubyOptions ruby_;
  Lifetime lifetime_;
  std::unique_ptr<const TreeStamps> stamps_;
  const std::chrono::steady_clock::time_point made_ = std::chrono::steady_clock::now();
  // The time of the next check of files, in milliseconds since made_.
  mutable std::atomic<int64_t> next_look_{0};
  mutable std::atomic<bool> has_changed_{false};
  DataFiles data_files_;
  std::mutex version_mutex_;
  std::optional<std::string> version_;
};

}  // namespace bunraku::compilation
