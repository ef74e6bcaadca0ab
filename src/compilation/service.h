// The state shared by compilations: settings, inputs for all nodes, and the environments in their
// current generations. Safe from any thread.
//
// catalog_compilation.h shows how a program compiles a node's catalog.
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
  kNever,      // environments are read once: for one run of a command
  kByTimeout,  // by the setting environment_timeout: for a server
};

class Service {
 public:
  // Parses the documents of `inputs`. With Refresh::kByTimeout, the files of an environment are
  // checked at most once in `look_interval`. Throws EvaluationError.
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

  // Returns the environment's current generation, and makes it if necessary; its users keep an
  // older one. Warnings about its settings are logged once for each generation. An empty name is
  // the environment in the settings. Throws EvaluationError.
  std::shared_ptr<Generation> generation(const std::string& name, LogSink* log);
  // The environment of the current generation.
  std::shared_ptr<Environment> environment(const std::string& name, LogSink* log) {
    return generation(name, log)->environment();
  }
  // Makes the next request create a new generation of the environment, or of all.
  void flush(const std::string& name);
  void flush_all();

  // The environments with a generation, and its number.
  std::map<std::string, uint64_t> known_generations() const;

  const std::string& default_environment() const { return default_environment_; }

  // Adds server facts and classification to a node with a name and facts. Without a classification
  // (undef), runs the settings' classifier, if any. Throws EvaluationError.
  void describe(Arena& arena, TargetNode& node, Value classification) const;
  // The trusted data of a node that is otherwise complete. Runs the settings' commands for it.
  // Throws EvaluationError.
  Value trusted_data(Arena& arena, const TargetNode& node) const;
  // Returns whether a program classifies nodes.
  bool has_classifier() const { return !has_classification_ && !classifier_.empty(); }

 private:
  std::shared_ptr<Generation> make(const std::string& name) const;
  std::shared_ptr<Environment> open(const std::string& name) const;
  std::unique_ptr<ShownSettings> shown_settings(const Environment& environment) const;
  LookupSettings lookup_settings(const Environment& environment) const;
  Lifetime lifetime(const Environment& environment) const;
  // The paths where the environment may have files, by the settings only.
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
  std::string unknown_terminus_;  // the node terminus in the settings, if it is not supported
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
