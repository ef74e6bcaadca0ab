// Events counted by what they are about: event-counts and aggregate-event-counts.
#pragma once

#include <string>
#include <vector>

#include "base/formats/data.h"
#include "store/query/answer.h"

namespace bunraku::store {

struct EventCountQuery {
  DataNode query;               // a filter of events; null: all
  std::string subject;          // summarize_by: certname, resource or containing_class
  bool counts_by_node = false;  // a node once for each subject
  DataNode counts_filter;       // of counts: [">", "failures", 0]; null: none
  bool has_distinct_resources = false;
  int64_t distinct_start = 0, distinct_end = 0;  // microseconds
  bool hides_inactive = false;
};

// Throws StoreError (kInput) for what is no query.
CompiledQuery compile_event_counts(const EventCountQuery& query, const Paging& paging);
// One row: counts over all subjects.
CompiledQuery compile_aggregate_event_counts(const EventCountQuery& query);
// Restricts `events` to the newest of each node, resource and property within an interval.
std::string distinct_resources_condition(int64_t start, int64_t end, SqlValues& values);

}  // namespace bunraku::store
