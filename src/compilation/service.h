// What all compilations of one run share: the settings, environments and data files as they were
// first seen, and what holds for every node. Safe from any thread.
//
// See catalog_compilation.h for how a program asks for a node's catalog.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "compilation/inputs.h"
#include "evaluation/evaluator.h"
#include "evaluation/scope.h"
#include "ruby/worker/pool.h"
#include "site/environment/environment.h"
#include "site/lookup/lookup.h"
#include "site/node/commands.h"
#include "site/node/node.h"
#include "site/settings/settings.h"

namespace bunraku::compilation {

class Service {
 public:
  // Reads the documents of `inputs`. Throws EvaluationError.
  Service(Settings settings, Inputs inputs, Sources sources);
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  const Settings& settings() const { return settings_; }
  const EvaluationSettings& evaluation() const { return evaluation_; }
  // The settings as $settings:: shows them.
  struct ShownSettings {
    Value hash;
    VariableTable variables;  // the same, with $settings::all_local
  };
  // With what holds for the environment, which must be one of `environment`.
  const ShownSettings& shown_settings(const Environment& environment);
  // Variables for the top scope: a hash, or undef.
  Value variables() const { return variables_; }
  DataFiles& data_files() { return data_files_; }
  const RubyOptions& ruby() const { return inputs_.ruby; }
  const Inputs& inputs() const { return inputs_; }
  bool only_defines() const { return sources_.only_defines; }

  // The environment, as it was when it was first asked for; its warnings go to `log`, once. Empty:
  // the one that the settings name. Throws EvaluationError.
  std::shared_ptr<Environment> environment(const std::string& name, LogSink* log);
  LookupSettings lookup_settings(const Environment& environment) const;
  // What the environment's config_version command prints, run once; empty when it has none. Throws
  // EvaluationError.
  std::string config_version(const Environment& environment);

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
  std::shared_ptr<Environment> open(const std::string& name) const;

  Settings settings_;
  Inputs inputs_;
  Sources sources_;
  EnvironmentOptions environment_options_;
  EvaluationSettings evaluation_;
  LookupSettings lookup_settings_;
  DataFiles data_files_;
  std::string default_environment_;
  std::string classifier_;        // the command; empty: none
  std::string unknown_terminus_;  // of nodes, as the settings name it
  TrustedExternalCommand trusted_external_;

  Arena arena_;
  Value settings_hash_, variables_;
  std::map<const Environment*, ShownSettings> shown_settings_;
  Value trusted_, server_facts_, classification_;  // undef when not given
  bool has_classification_ = false;

  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<Environment>> environments_;
  std::unordered_map<std::string, std::string> config_versions_;
};

}  // namespace bunraku::compilation
