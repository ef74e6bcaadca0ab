// The facts of this host for commands: core facts, external facts, and custom facts in Ruby from
// the modules of the environment.
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
  // Custom and external facts that an agent has synchronised, in place of those of the
  // environment's modules.
  bool of_synchronised_plugins = false;
  bool with_custom = true;
  bool with_external = true;
  bool caches = true;
  bool blocks = true;
  bool shows_legacy = false;  // flat facts too; the configuration may ask for them
  std::vector<std::string> external_directories;  // in place of the system's
  std::vector<std::string> custom_directories;    // beside those of modules
  std::string configuration;                      // facter.conf; empty: where it usually is
  std::vector<facts::Timing>* timings = nullptr;
};

// A hash in the order of names. What goes wrong with single facts is logged. Throws EvaluationError
// when the environment, whose modules may have facts, cannot be opened.
Value facts_of_host(Session& session, Arena& arena, const HostFactsRequest& request);

// The settings of the command line for an environment without modules, as an agent has it.
Settings settings_without_modules(const Session& session);

// The facts that an agent sends: with those of synchronised plug-ins, and with what it says of
// itself. `settings` are the agent's.
DataNode synchronised_facts(Session& session, const Settings& settings, Arena& arena, LogSink& log);

// The same for a compilation on this host: with what an agent adds of itself.
Value agent_facts_of_host(Session& session, Arena& arena, bool with_custom);

}  // namespace bunraku
