// One resource: retrieving, comparing, changing, events, audits, and saved state.
#include "apply/transaction/resource_harness.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "apply/transaction/catalog.h"
#include "apply/transaction/schedule.h"

namespace bunraku::apply {
namespace {

constexpr std::string_view kRedacted = "[redacted]";

Datum redacted(const Datum& value) {
  return value.is_null() ? Datum() : Datum::string(kRedacted);
}

}  // namespace

struct ResourceHarness::Run {
  Resource& resource;
  ResourceStatus& status;
  CurrentValues current;
  CurrentValues historical;
  std::vector<std::string> audited;
  std::vector<std::string> synced;

  bool is_audited(std::string_view name) const {
    return std::ranges::find(audited, name) != audited.end();
  }
};

ResourceStatus make_status(const Resource& resource) {
  ResourceStatus status;
  status.title = resource.title();
  status.file = resource.file();
  status.has_place = resource.has_file();
  status.line = resource.line();
  status.resource = resource.reference();
  status.resource_type = capitalized_type(resource.type().name());
  if (resource.provider_kind() != nullptr) status.provider = resource.provider_kind()->name();
  status.containment_path = resource.containment_path();
  status.tags = resource.tags();
  status.time = now_nanoseconds();
  status.is_shown = !resource.type().is_container() && resource.type().name() != "stage";
  return status;
}

Event make_event(std::string name, EventStatus status, std::string message) {
  Event event;
  event.name = std::move(name);
  event.status = status;
  event.message = std::move(message);
  event.time = now_nanoseconds();
  return event;
}

ResourceStatus ResourceHarness::evaluate(Resource& resource) {
  ResourceStatus status = make_status(resource);
  const auto begun = std::chrono::steady_clock::now();
  try {
    Run run{resource, status, {}, {}, {}, {}};
    perform(run);
    if (status.is_changed && !resource.is_noop()) {
      state_.set(resource.reference(), "synced", Datum::time(now_nanoseconds()));
      resource.type().flush(resource);
    }
  } catch (const RunFailure&) {
    throw;
  } catch (const Failure& failure) {
    resource.log(LogLevel::kErr, fmt::format("Could not evaluate: {}", failure.log_text()));
    status.add(make_event("resource_error", EventStatus::kFailure, failure.message()));
    if (context_.options.observer) {
      context_.options.observer(resource.reference(), status, status.events.back());
    }
  }
  status.evaluation_time =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  return status;
}

bool ResourceHarness::is_scheduled(const Resource& resource) const {
  if (context_.options.ignores_schedules) return true;
  const Datum& name = resource.value("schedule");
  if (name.is_null()) return true;
  const Resource* schedule = resource.catalog().find("schedule", name.to_text());
  if (schedule == nullptr) {
    throw RunFailure(fmt::format("Could not find schedule {}", name.to_text()));
  }
  const Datum* checked = state_.find(resource.reference(), "checked");
  const int64_t previous = checked == nullptr ? 0 : checked->time_value() / 1'000'000'000;
  return matches_schedule(*schedule, previous, now_nanoseconds() / 1'000'000'000);
}

void ResourceHarness::perform(Run& run) {
  Resource& resource = run.resource;
  const ResourceType& type = resource.type();
  run.audited = resource.audited();
  for (const std::string& name : run.audited) {
    if (resource.find(name) == nullptr && type.find_attribute(name) != nullptr) resource.add(name);
    if (const Datum* known = state_.find(resource.reference(), name)) {
      run.historical.emplace_back(name, *known);
    }
  }
  run.current = type.retrieve_all(resource);
  state_.set(resource.reference(), "checked", Datum::time(now_nanoseconds()));
  for (const std::string& name : run.audited) {
    if (resource.is_sensitive(name)) continue;
    const Datum* value = find_value(run.current, name);
    state_.set(resource.reference(), name, value == nullptr ? Datum() : *value);
  }
  Attribute* ensure = resource.find("ensure");
  const bool is_done = ensure != nullptr && ensure->is_property() && ensure->has_value() &&
                       sync_if_needed(run, *ensure);
  if (!is_done) {
    if (type.is_present(resource, run.current)) {
      for (Attribute* property : resource.properties()) sync_if_needed(run, *property);
    } else {
      resource.debug("Nothing to manage: no ensure and the resource doesn't exist");
    }
  }
  capture_audits(run);
  store_values(run);
}

Event ResourceHarness::make_change_event(Run& run, const Attribute& property) const {
  const Datum* current = find_value(run.current, property.name());
  const Datum* historical = find_value(run.historical, property.name());
  Event event;
  event.name = run.resource.type().event_name(run.resource, property);
  event.property = property.name();
  event.previous_value = current == nullptr ? Datum() : *current;
  event.desired_value = run.resource.desired(property);
  event.historical_value = historical == nullptr ? Datum() : *historical;
  event.is_redacted = std::nullopt;
  if (property.is_sensitive) {
    event.previous_value = redacted(event.previous_value);
    event.desired_value = redacted(event.desired_value);
    event.historical_value = redacted(event.historical_value);
    event.is_redacted = true;
  }
  event.invalidates_refreshes = run.resource.type().invalidates_refreshes(run.resource, property);
  event.time = now_nanoseconds();
  return event;
}

// Synchronizes the property. Returns whether it was out of sync.
bool ResourceHarness::sync_if_needed(Run& run, Attribute& property) {
  Resource& resource = run.resource;
  const ResourceType& type = resource.type();
  const Datum* found = find_value(run.current, property.name());
  const Datum current = found == nullptr ? Datum() : *found;
  const auto words_for_failure = [&] {
    if (property.is_sensitive) return std::string("change from [redacted] to [redacted] failed: ");
    return fmt::format(
        "change from {} to {} failed: ", type.current_text(resource, property, current),
        type.desired_text(resource, property, resource.desired(property)));
  };
  Event event;
  try {
    if (!property.has_value() || type.is_in_sync(resource, property, current)) return false;
    event = make_change_event(run, property);
    std::string audit_text;
    if (run.is_audited(property.name())) {
      event.is_audited = true;
      const Datum* historical = find_value(run.historical, property.name());
      if (historical != nullptr && !(*historical == current)) {
        audit_text =
            fmt::format(" (previously recorded value was {})",
                        property.is_sensitive ? std::string(kRedacted)
                                              : type.current_text(resource, property, *historical));
      }
    }
    change(run, property, event, current, audit_text);
  } catch (const RunFailure&) {
    throw;
  } catch (const Failure& failure) {
    context_.log.log(LogLevel::kErr, failure.log_text());
    event = make_change_event(run, property);
    event.status = EventStatus::kFailure;
    event.message = words_for_failure() + failure.message();
  }
  finish_event(run, property, std::move(event), false);
  return true;
}

void ResourceHarness::change(Run& run, Attribute& property, Event& event, const Datum& current,
                             const std::string& audit_text) {
  Resource& resource = run.resource;
  const ResourceType& type = resource.type();
  const Datum desired = resource.desired(property);
  if (resource.is_noop()) {
    if (property.is_sensitive) {
      event.message = "current_value [redacted], should be [redacted] (noop)";
    } else if (context_.options.has_new_noop_messages) {
      event.message = type.change_text(resource, property, current, desired) + " (noop)";
    } else {
      event.message = fmt::format("current_value {}, should be {} (noop)",
                                  type.current_text(resource, property, current),
                                  type.desired_text(resource, property, desired));
    }
    event.message += audit_text;
    event.status = EventStatus::kNoop;
    return;
  }
  type.sync(resource, property);
  if (property.is_sensitive) {
    event.message = "changed [redacted] to [redacted]";
  } else {
    event.message = type.change_text(resource, property, current, desired);
  }
  event.message += audit_text;
  event.status = EventStatus::kSuccess;
}

void ResourceHarness::finish_event(Run& run, Attribute& property, Event event, bool) {
  Resource& resource = run.resource;
  const Datum* stored = store_.find(resource.reference(), property.name());
  if (stored != nullptr && property.info->is_idempotent && !property.is_sensitive) {
    // The value differs from the one that was last set, so something else has changed it.
    Attribute before = property;
    before.values = stored->is_array() ? stored->items() : Datum::List{*stored};
    try {
      event.is_corrective = !resource.type().is_in_sync(resource, before, event.previous_value);
    } catch (const Failure&) {
      event.is_corrective = false;
    }
    if (event.is_corrective) event.message += " (corrective)";
  }
  run.synced.emplace_back(property.name());
  const LogLevel level =
      event.status == EventStatus::kFailure ? LogLevel::kErr : resource.log_level();
  resource.log_property(level, property.name(), event.message, false);
  run.status.add(std::move(event));
  if (context_.options.observer) {
    context_.options.observer(resource.reference(), run.status, run.status.events.back());
  }
}

void ResourceHarness::capture_audits(Run& run) {
  Resource& resource = run.resource;
  for (const std::string& name : run.audited) {
    Attribute* property = resource.find(name);
    const Datum* current = find_value(run.current, name);
    if (property == nullptr || current == nullptr) continue;
    const Datum* historical = find_value(run.historical, name);
    if (historical == nullptr) {
      resource.log_property(
          LogLevel::kNotice, name,
          fmt::format("audit change: newly-recorded value {}",
                      property->is_sensitive ? std::string(kRedacted) : current->to_text()),
          true);
      continue;
    }
    if (*historical == *current || std::ranges::find(run.synced, name) != run.synced.end()) {
      continue;
    }
    Event event = make_change_event(run, *property);
    event.is_audited = true;
    event.status = EventStatus::kAudit;
    const ResourceType& type = resource.type();
    event.message =
        fmt::format("audit change: previously recorded value {} has been changed to {}",
                    property->is_sensitive ? std::string(kRedacted)
                                           : type.current_text(resource, *property, *historical),
                    property->is_sensitive ? std::string(kRedacted)
                                           : type.current_text(resource, *property, *current));
    resource.log_property(resource.log_level(), name, event.message, false);
    run.status.add(std::move(event));
  }
}

void ResourceHarness::store_values(Run& run) {
  if (!context_.options.computes_corrective_changes) return;
  Resource& resource = run.resource;
  for (const Attribute* property : resource.properties()) {
    if (property->is_sensitive) continue;
    const auto event = std::ranges::find_if(run.status.events, [&](const Event& candidate) {
      return candidate.property == property->name();
    });
    const Datum* old = store_.find(resource.reference(), property->name());
    Datum value = property->has_value() ? Datum::array(property->values) : Datum();
    if (event != run.status.events.end() && event->status != EventStatus::kSuccess) {
      value = old != nullptr                     ? *old
              : event->previous_value.is_array() ? Datum()
                                                 : Datum::array({event->previous_value});
    }
    store_.set(resource.reference(), property->name(), std::move(value));
  }
}

}  // namespace bunraku::apply
