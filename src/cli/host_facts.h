// The facts of this host for commands: core facts, external facts, and custom facts in Ruby from
// the environment's modules.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostics/log.h"
#include "base/formats/data.h"
#include "facts/core_facts.h"
#include "site/settings/settings.h"
#include "values/value.h"

namespace bunraku {

class Session;

struct HostFactsRequest {
  std::string run_mode = "agent";  // the section of puppet.conf for settings: "user", "server"...
  // Use the custom and external facts that an agent has synchronised, instead of those of the
  // environment's modules.
  bool of_synchronised_plugins = false;
  bool with_custom = true;
  bool with_external = true;
  bool caches = true;
  bool blocks = true;
  bool shows_legacy = false;  // flat facts as well; the configuration may also demand them
  std::vector<std::string> external_directories;  // replace the system's
  std::vector<std::string> custom_directories;    // in addition to those of modules
  std::string configuration;                      // facter.conf; empty: the usual path
  std::vector<facts::Timing>* timings = nullptr;
};

// Returns a hash sorted by name. Problems of single facts are logged. Throws EvaluationError when
// the environment, whose modules may have facts, cannot be opened.
Value facts_of_host(Session& session, Arena& arena, const HostFactsRequest& request);

// The settings of the command line for an environment without modules, as for an agent.
Settings settings_without_modules(const Session& session);

// The facts that an agent sends: with those of synchronised plug-ins and the agent's own.
// `settings` are the agent's.
DataNode synchronised_facts(Session& session, const Settings& settings, Arena& arena, LogSink& log);

// The facts for a compilation on this host, with an agent's own. Custom facts have the settings of
// `run_mode`.
Value agent_facts_of_host(Session& session, Arena& arena, std::string run_mode, bool with_custom);

}  // namespace bunraku
