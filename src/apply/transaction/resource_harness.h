// Brings one resource into its desired state, and records the events.
#pragma once

#include <string>

#include "apply/reports/report.h"
#include "apply/transaction/resource.h"
#include "apply/transaction/state_file.h"

namespace bunraku::apply {

// Makes a new status of a resource.
ResourceStatus make_status(const Resource& resource);
// Makes an event about the resource as a whole.
Event make_event(std::string name, EventStatus status, std::string message);

class ResourceHarness {
 public:
  // All must outlive the harness.
  ResourceHarness(Context& context, StateFile& state, TransactionStore& store)
      : context_(context), state_(state), store_(store) {}

  // Retrieves the resource's state, makes the necessary changes, and logs them. Failures are
  // recorded in the status.
  ResourceStatus evaluate(Resource& resource);
  // Returns whether the resource's schedule allows it now. Throws RunFailure for a schedule that
  // does not exist.
  bool is_scheduled(const Resource& resource) const;

 private:
  struct Run;
  void perform(Run& run);
  bool sync_if_needed(Run& run, Attribute& property);
  void change(Run& run, Attribute& property, Event& event, const Datum& current,
              const std::string& audit_text);
  Event make_change_event(Run& run, const Attribute& property) const;
  void finish_event(Run& run, Attribute& property, Event event, bool logs_tag);
  void capture_audits(Run& run);
  void store_values(Run& run);

  Context& context_;
  StateFile& state_;
  TransactionStore& store_;
};

}  // namespace bunraku::apply
