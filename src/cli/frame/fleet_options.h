// What the commands about fleets have in common: which nodes, how many at a time, and the signal
// that ends them.
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
  // Without facts, a missing environment is the error that comes first.
  bool needs_environment = true;
};

// Declares them. `facts_name` is how the argument is called, "FACTS..." or "[FACTS...]".
void take_fleet_options(Command& command, std::string_view facts_name, FleetOptions& options);

// The nodes that the options name, else those whose facts the repository has; sorted. Throws
// UsageError, EvaluationError when there is no environment either, and what reading them throws.
NodeList fleet_nodes(const FleetOptions& options, const Session& session);

// While it stands, an interrupt (SIGINT, SIGTERM) is noted and does not end the program; a second
// one does.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  // True from the first one on.
  static const std::atomic<bool>& flag();
};

}  // namespace bunraku
