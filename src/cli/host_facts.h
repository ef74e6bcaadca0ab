// The facts of this host for commands: core facts, external facts, and custom facts in Ruby from
// the modules of the environment.
#pragma once

#include <string>
#include <vector>

#include "facts/core_facts.h"
#include "pcore/value.h"

namespace bunraku {

class Session;

struct HostFactsRequest {
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

// The same for a compilation on this host: with what an agent adds of itself.
Value agent_facts_of_host(Session& session, Arena& arena, bool with_custom);

}  // namespace bunraku
