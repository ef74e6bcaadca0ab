// A node of a fleet compiled: its catalog as text, and what became of it.
#pragma once

#include <string>

#include "cli/compilation_snapshot.h"
#include "fleet/node_list.h"
#include "fleet/outcome.h"

namespace bunraku {

struct CompiledNode {
  NodeOutcome outcome;
  std::string catalog;  // JSON as `catalog compile` prints it; empty when it failed
};

// The same bytes for the same input: the catalog's identifier follows from what it holds, and so
// does its version unless the environment has a command for it. Call it on a large stack. Throws
// nothing; any thread may call it.
CompiledNode compile_node(CompilationSnapshot& snapshot, const FleetNode& node);

}  // namespace bunraku
