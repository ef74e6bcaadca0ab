// Shared code of the commands about fleets: the nodes, the number of jobs, and interrupts.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/frame/command.h"
#include "fleet/node_list.h"

namespace bunraku {

class Session;

struct FleetOptions {
  std::vector<std::string> facts;
  std::string nodes;
  std::vector<std::string> only;
  std::string shard;
  int64_t jobs = 0;
  // Without facts, report a missing environment first.
  bool needs_environment = true;
};

// Declares the options. `facts_name` is the name of the argument, "FACTS..." or "[FACTS...]".
void take_fleet_options(Command& command, std::string_view facts_name, FleetOptions& options);

// The nodes that the options name, otherwise those with facts in the repository; sorted. Throws
// UsageError, EvaluationError when there is no environment either, and the errors of reading them.
NodeList fleet_nodes(const FleetOptions& options, const Session& session);

// During its lifetime, an interrupt (SIGINT, SIGTERM) sets the flag instead of ending the program;
// a second one ends it.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  // True after the first interrupt.
  static const std::atomic<bool>& flag();
};

}  // namespace bunraku
