// Expiry of a store's data: nodes expire and are purged, old reports and events are deleted, and
// unused shared rows are removed.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "store/store.h"

namespace bunraku::store {

// Zero means never.
struct Lifetimes {
  std::chrono::seconds node_ttl{std::chrono::hours(24 * 7)};
  std::chrono::seconds node_purge_ttl{std::chrono::hours(24 * 14)};
  std::chrono::seconds report_ttl{std::chrono::hours(24 * 14)};
  std::chrono::seconds event_ttl{std::chrono::hours(24 * 14)};
  int64_t nodes_at_once = 25;  // nodes purged in one round; 0: all
};

// The kinds of data to collect.
struct GarbageParts {
  bool expired_nodes = true, purged_nodes = true, reports = true, events = true;
  bool packages = true, contents = true, fact_paths = true;
};

struct GarbageCounts {
  int64_t expired_nodes = 0, purged_nodes = 0, reports = 0, events = 0, shared_rows = 0;
};

// Collects in many short transactions, so that writers can continue. The latest report of a node
// stays as long as the node. Throws StoreError.
GarbageCounts collect_garbage(Store& store, const Lifetimes& lifetimes,
                              const GarbageParts& parts = {});

// Deletes all data about a node; ignores an unknown one. Throws StoreError.
void delete_node(Store& store, const std::string& certname);

}  // namespace bunraku::store
