// One version of an environment: its trees and index, its data files, the settings as it shows
// them, and the Ruby workers that have loaded its code.
//
// Many compilations share a generation. It is replaced as a whole, and goes with the last that uses
// it, together with its Ruby workers. Safe from any thread; no lock is held while something is
// read, parsed or run.
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

// How long a generation is the current one.
struct Lifetime {
  // Forever, unless it is flushed or one of these says otherwise.
  bool follows_files = false;                   // until one of its files changes
  std::optional<std::chrono::seconds> timeout;  // since it was made
  // Its files are looked at once in this time at most; 0: for each request.
  std::chrono::milliseconds look_interval{0};
  // Do its Ruby workers serve it alone? Not in a run that keeps everything as it was first seen.
  bool has_own_workers = true;

  // Of the setting environment_timeout: "0", "unlimited", "5m".
  static Lifetime of_timeout(std::string_view text);
};

class Generation {
 public:
  // `stamps` are those of before the environment was read; null where changes are not looked for.
  // `parts` has what the settings say, completed here with what the environment says.
  Generation(std::shared_ptr<Environment> environment, std::unique_ptr<ShownSettings> settings,
             LookupSettings lookup, RubyOptions ruby, Lifetime lifetime,
             std::unique_ptr<const TreeStamps> stamps);
  ~Generation();  // ends its Ruby workers
  Generation(const Generation&) = delete;
  Generation& operator=(const Generation&) = delete;

  // Distinct from all others of the process; later ones are greater.
  uint64_t number() const { return number_; }
  const std::shared_ptr<Environment>& environment() const { return environment_; }
  const ShownSettings& settings() const { return *settings_; }
  const LookupSettings& lookup_settings() const { return lookup_; }
  DataFiles& data_files() { return data_files_; }
  // Workers started with these serve this generation alone.
  const RubyOptions& ruby() const { return ruby_; }

  // What the environment's config_version command prints, run once unless each request makes sure
  // of the files; empty when it has none. Throws EvaluationError.
  std::string config_version();

  // May it answer one more request? Looks at files where its lifetime asks for that.
  bool is_current() const;

 private:
  bool have_files_changed() const;

  const uint64_t number_;
  std::shared_ptr<Environment> environment_;
  std::unique_ptr<ShownSettings> settings_;
  LookupSettings lookup_;
  RubyOptions ruby_;
  Lifetime lifetime_;
  std::unique_ptr<const TreeStamps> stamps_;
  const std::chrono::steady_clock::time_point made_ = std::chrono::steady_clock::now();
  // Since made_, in milliseconds: when its files are looked at again.
  mutable std::atomic<int64_t> next_look_{0};
  mutable std::atomic<bool> has_changed_{false};
  DataFiles data_files_;
  std::mutex version_mutex_;
  std::optional<std::string> version_;
};

}  // namespace bunraku::compilation
