// Applies a catalog: walks the graph, evaluates each resource, and propagates events.
#pragma once

#include <atomic>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "apply/reports/report.h"
#include "apply/transaction/look_ahead.h"
#include "apply/transaction/relationship_graph.h"
#include "apply/transaction/resource_harness.h"
#include "apply/transaction/state_file.h"

namespace bunraku::apply {

class Transaction {
 public:
  // All must outlive the transaction. The catalog must be finalized.
  Transaction(Catalog& catalog, Report& report, StateFile& state, TransactionStore& store);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();

  // Throws RunFailure for an error that ends the whole run; the report has the work done before.
  void evaluate();

  // Makes running transactions skip the remaining resources. Safe in a signal handler.
  static void request_stop();

 private:
  struct Queued {
    EventStatus status;
  };
  using Providers = std::pair<const ResourceType*, const ProviderKind*>;

  void read_tags();
  // Lets another thread do the resource's time-consuming work in advance.
  void look_ahead(Resource& resource);
  void generate_from(Resource& resource, std::set<const Resource*>& seen);
  void eval_generate(Resource& resource);
  void check_resources();
  void refuse_cycles();
  void write_graphs() const;
  void walk();
  void give_up_on(const std::vector<Resource*>& resources);
  void evaluate_one(Resource& resource);
  void prefetch(Resource& resource);
  void note_provider(const Resource& resource);
  void finish_providers();
  bool has_failed_prefetch(const Resource& resource) const;
  void propagate_failure(Resource& resource);
  bool resolve_deferred(Resource& resource);
  bool is_skipped(Resource& resource);
  bool has_failed_dependencies(Resource& resource);
  bool is_missing_tags(const Resource& resource) const;
  bool has_tag(const Resource& resource, const std::vector<std::string>& tags) const;

  void queue_events(Resource& source, const std::vector<Event>& events);
  void queue_for(Resource& source, Resource& target, const std::vector<const Event*>& events);
  void process_events(Resource& resource);
  bool process_refresh(Resource& resource, const std::vector<Queued>& events);

  ResourceStatus& status_of(const Resource& resource);
  // Returns null when there is none yet.
  const ResourceStatus* find_status(const Resource& resource) const;
  // Each end of a container has a status of its own.
  std::string key_of(const Resource& resource) const;

  Context& context_;
  Catalog& catalog_;
  Report& report_;
  TransactionStore& store_;
  ResourceHarness harness_;
  LookAhead look_ahead_;
  std::unique_ptr<RelationshipGraph> graph_;
  std::vector<std::string> tags_, skip_tags_;
  std::unordered_map<const Resource*, ResourceStatus> anchor_statuses_;
  std::unordered_map<const Resource*, std::vector<Queued>> queues_;
  std::set<Providers> prefetched_, failed_prefetches_;
  std::vector<const ProviderKind*> used_providers_;
  std::vector<std::string> types_without_provider_;
  std::set<std::string> notified_dependencies_;
  std::set<std::string> notified_class_dependencies_, warned_class_dependencies_;
  static std::atomic<bool> is_stop_requested_;
};

}  // namespace bunraku::apply
