// A node of a fleet compiled: its catalog as text, and what became of it.
#pragma once

#include <string>

#include "compilation/compilation.h"
#include "compilation/fleet_exports.h"
#include "fleet/node_cache.h"
#include "fleet/node_list.h"
#include "fleet/outcome.h"

namespace bunraku::compilation {

struct CompiledNode {
  NodeOutcome outcome;
  // JSON as `catalog compile` prints it; empty when it failed or is not kept.
  std::string catalog;
  // When it was recorded: what was read, and when the facts were as they were.
  std::vector<uint32_t> reads;
  CachedStamp facts_stamp;
  // Where nodes export to each other: what this one exports, and what it asked.
  std::string exports;
  std::vector<ExportQuestion> questions;
};

// A catalog that is not kept is written all the same, since writing it may fail.
enum class CatalogUse : uint8_t { kKept, kNotKept };

// The same bytes for the same input: the catalog's identifier follows from what it holds, and so
// does its version unless the environment has a command for it. Call it on a large stack. Throws
// nothing; any thread may call it.
// What is read goes to `table`, where there is one. Collectors find what `exports` has, where the
// nodes of a run export to each other.
CompiledNode compile_node(Service& service, const FleetNode& node, CatalogUse use,
                          const RequestLimits& limits = {}, ReadTable* table = nullptr,
                          const FleetExports* exports = nullptr);

// The catalog of a compilation that is done, as compile_node() gives it. `version` is what the
// environment's command says; empty when it has none.
std::string catalog_text(Compilation& compilation, const std::string& version);

// What an answer depends on beside what its compilation reads: the program, the settings, the
// inputs, and where the environment has its manifests and modules. Throws EvaluationError.
std::string cache_key(Service& service);

}  // namespace bunraku::compilation
