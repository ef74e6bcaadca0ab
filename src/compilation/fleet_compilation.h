// Compiles a node of a fleet: its catalog as text, and the outcome.
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
  // JSON in the form of `catalog compile`; empty when it failed or is not kept.
  std::string catalog;
  // If reads are recorded: the reads, and the stamp of the facts.
  std::vector<uint32_t> reads;
  CachedStamp facts_stamp;
  // If nodes export to each other: the exports of this one, and its queries.
  std::string exports;
  std::vector<ExportQuestion> questions;
};

// A catalog that is not kept is still written, since writing it may fail.
enum class CatalogUse : uint8_t { kKept, kNotKept };

// Returns the same bytes for the same input: the catalog's identifier is derived from its content,
// and so is its version unless the environment has a command for it. Needs a large stack. Throws
// nothing; safe from any thread. Reads are recorded in `table`, if it is not null. Collectors find
// the resources in `exports`, if nodes of a run export to each other.
CompiledNode compile_node(Service& service, const FleetNode& node, CatalogUse use,
                          const RequestLimits& limits = {}, ReadTable* table = nullptr,
                          const FleetExports* exports = nullptr);

// The catalog of a completed compilation, in the form of compile_node(). `version` is the output of
// the environment's command; empty when it has none.
std::string catalog_text(Compilation& compilation, const std::string& version);

// The inputs of an answer other than its compilation's reads: the program, the settings, the
// inputs, and the locations of the environment's manifests and modules. Throws EvaluationError.
std::string cache_key(Service& service, LogSink& log);

}  // namespace bunraku::compilation
