// What compilations share: the settings, what holds for every node, and the environments, each in
// its current generation. Safe from any thread.
//
// See catalog_compilation.h for how a program asks for a node's catalog.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "compilation/generation.h"
#include "compilation/inputs.h"
#include "evaluation/evaluator.h"
#include "site/environment/environment.h"
#include "site/node/commands.h"
#include "site/node/node.h"
#include "site/settings/settings.h"

namespace bunraku::compilation {

enum class Refresh : uint8_t {
  kNever,      // environments stay as they are first seen: one run of a command
  kByTimeout,  // as the setting environment_timeout says: a server
};

class Service {
 public:
  // Reads the documents of `inputs`. With Refresh::kByTimeout, the files of an environment are
  // looked at once in `look_interval` at most. Throws EvaluationError.
  Service(Settings settings, Inputs inputs, Sources sources, Refresh refresh = Refresh::kNever,
          std::chrono::milliseconds look_interval = {});
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  const Settings& settings() const { return settings_; }
  const EvaluationSettings& evaluation() const { return evaluation_; }
  // Variables for the top scope: a hash, or undef.
  Value variables() const { return variables_; }
  const Inputs& inputs() const { return inputs_; }
  bool only_defines() const { return sources_.only_defines; }

  // The environment's current generation, made where there is none; an older one stays with those
  // that use it. Warnings about its settings go to `log`, once a generation. Without a name: the
  // environment that the settings name. Throws EvaluationError.
  std::shared_ptr<Generation> generation(const std::string& name, LogSink* log);
  // The environment of the current generation.
  std::shared_ptr<Environment> environment(const std::string& name, LogSink* log) {
    return generation(name, log)->environment();
  }
  // The next request makes a new generation of the environment, or of all.
  void flush(const std::string& name);
  void flush_all();

  // The environments that have a generation now, with its number.
  std::map<std::string, uint64_t> known_generations() const;

  const std::string& default_environment() const { return default_environment_; }

  // Of a node with a name and facts: the server's facts, and classification. Where none is given
  // (undef), runs a classifier if the settings name one. Throws EvaluationError.
  void describe(Arena& arena, TargetNode& node, Value classification) const;
  // The trusted data of a node that has all the rest. Runs what the settings name for that. Throws
  // EvaluationError.
  Value trusted_data(Arena& arena, const TargetNode& node) const;
  // Does a program outside say what nodes are?
  bool has_classifier() const { return !has_classification_ && !classifier_.empty(); }

 private:
  std::shared_ptr<Generation> make(const std::string& name) const;
  std::shared_ptr<Environment> open(const std::string& name) const;
  std::unique_ptr<ShownSettings> shown_settings(const Environment& environment) const;
  LookupSettings lookup_settings(const Environment& environment) const;
  Lifetime lifetime(const Environment& environment) const;
  // Where the environment may have files, by the settings alone.
  std::vector<std::string> likely_paths(const std::string& name) const;
  std::vector<std::string> paths(const Environment& environment) const;

  Settings settings_;
  Inputs inputs_;
  Sources sources_;
  EnvironmentOptions environment_options_;
  EvaluationSettings evaluation_;
  LookupSettings lookup_settings_;
  std::string default_environment_;
  std::string classifier_;        // the command; empty: none
  std::string unknown_terminus_;  // of nodes, as the settings name it
  TrustedExternalCommand trusted_external_;

  Arena arena_;
  Value settings_hash_, variables_;
  Value trusted_, server_facts_, classification_;  // undef when not given
  bool has_classification_ = false;

  const Refresh refresh_;
  const std::chrono::milliseconds look_interval_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<Generation>> generations_;
  uint64_t flushes_ = 0;  // so far: what was begun before one is not kept after it
};

}  // namespace bunraku::compilation
