// What time does to a store: nodes expire and are purged, reports and events grow old, and shared
// rows that nothing uses any more are removed.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "store/store.h"

namespace bunraku::store {

// Zero: never.
struct Lifetimes {
  std::chrono::seconds node_ttl{std::chrono::hours(24 * 7)};
  std::chrono::seconds node_purge_ttl{std::chrono::hours(24 * 14)};
  std::chrono::seconds report_ttl{std::chrono::hours(24 * 14)};
  std::chrono::seconds event_ttl{std::chrono::hours(24 * 14)};
  int64_t nodes_at_once = 25;  // purged in one round; 0: all
};

// What is collected.
struct GarbageParts {
  bool expired_nodes = true, purged_nodes = true, reports = true, events = true;
  bool packages = true, contents = true, fact_paths = true;
};

struct GarbageCounts {
  int64_t expired_nodes = 0, purged_nodes = 0, reports = 0, events = 0, shared_rows = 0;
};

// In many short transactions, so that writers go on. The latest report of a node stays for as long
// as the node. Throws StoreError.
GarbageCounts collect_garbage(Store& store, const Lifetimes& lifetimes,
                              const GarbageParts& parts = {});

// Deletes everything about a node; nothing happens when it is unknown. Throws StoreError.
void delete_node(Store& store, const std::string& certname);

}  // namespace bunraku::store
