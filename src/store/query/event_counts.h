// Counts of events by subject: event-counts and aggregate-event-counts.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/formats/data.h"
#include "store/query/answer.h"

namespace bunraku::store {

struct EventCountQuery {
  DataNode query;               // a filter of events; null: all
  std::string subject;          // summarize_by: certname, resource or containing_class
  bool counts_by_node = false;  // count a node once for each subject
  DataNode counts_filter;       // a filter of counts: [">", "failures", 0]; null: none
  // Count only the newest event of a resource and property between these times (microseconds).
  std::optional<std::pair<int64_t, int64_t>> distinct_times;
  bool hides_inactive = false;
};

// Throws StoreError (kInput) for an invalid query.
CompiledQuery compile_event_counts(const EventCountQuery& query, const Paging& paging);
// Returns one row: counts over all subjects.
CompiledQuery compile_aggregate_event_counts(const EventCountQuery& query);

}  // namespace bunraku::store
