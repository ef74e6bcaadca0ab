// The walk over the graph: prefetching, generating, skipping, evaluating, events.
#include "apply/transaction/transaction.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "apply/transaction/tag.h"
#include "base/system/file_system.h"
#include "base/text/utf8.h"

namespace bunraku::apply {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begun) {
  return std::chrono::duration<double>(Clock::now() - begun).count();
}

// The tags in a setting, in lower case and checked.
std::vector<std::string> tags_of(const std::vector<std::string>& given) {
  std::vector<std::string> tags;
  for (const std::string& text : given) {
    std::string tag = downcase(text);
    if (!is_tag(tag)) throw RunFailure(fmt::format("Invalid tag '{}'", tag));
    tags.push_back(std::move(tag));
  }
  return tags;
}

}  // namespace

std::atomic<bool> Transaction::is_stop_requested_ = false;

void Transaction::request_stop() {
  is_stop_requested_ = true;
}

Transaction::Transaction(Catalog& catalog, Report& report, StateFile& state,
                         TransactionStore& store)
    : context_(catalog.context()),
      catalog_(catalog),
      report_(report),
      store_(store),
      harness_(context_, state, store) {}

Transaction::~Transaction() = default;

void Transaction::read_tags() {
  if (!context_.options.is_host_config) return;
  tags_ = tags_of(context_.options.tags);
  skip_tags_ = tags_of(context_.options.skip_tags);
}

std::string Transaction::key_of(const Resource& resource) const {
  return resource.reference();
}

ResourceStatus& Transaction::status_of(const Resource& resource) {
  if (resource.type().is_container()) {
    const auto [place, is_new] = anchor_statuses_.try_emplace(&resource);
    if (is_new) place->second = make_status(resource);
    return place->second;
  }
  if (report_.find_status(resource.reference()) == nullptr) {
    report_.replace_status(make_status(resource));
  }
  return report_.status_of(resource.reference());
}

const ResourceStatus* Transaction::find_status(const Resource& resource) const {
  if (!resource.type().is_container()) return report_.find_status(resource.reference());
  const auto found = anchor_statuses_.find(&resource);
  return found == anchor_statuses_.end() ? nullptr : &found->second;
}

void Transaction::evaluate() {
  const std::vector<Resource*> at_first = catalog_.resources();
  std::set<const Resource*> seen;
  for (Resource* resource : at_first) generate_from(*resource, seen);
  check_resources();
  if (!catalog_.version().is_null()) {
    context_.log.log(LogLevel::kInfo, fmt::format("Applying configuration version '{}'",
                                                  catalog_.version().to_text()));
  }
  graph_ = std::make_unique<RelationshipGraph>(catalog_);
  write_graphs();
  refuse_cycles();
  read_tags();
  for (Resource* resource : catalog_.resources()) look_ahead(*resource);
  walk();
  report_.is_completed = true;
}

void Transaction::look_ahead(Resource& resource) {
  if (std::function<void()> look = resource.type().look_ahead(resource)) {
    look_ahead_.add(std::move(look));
  }
}

void Transaction::generate_from(Resource& resource, std::set<const Resource*>& seen) {
  if (!seen.insert(&resource).second) return;
  std::vector<std::unique_ptr<Resource>> generated;
  try {
    generated = resource.type().generate(resource);
  } catch (const Failure& failure) {
    report_.failed_to_generate = true;
    resource.log(LogLevel::kErr,
                 fmt::format("Failed to generate additional resources using 'generate': {}",
                             failure.log_text()));
    return;
  }
  const bool comes_before = resource.type().is_depth_first();
  if (!comes_before) std::ranges::reverse(generated);
  std::vector<Resource*> added;
  for (std::unique_ptr<Resource>& child : generated) {
    Resource* known = catalog_.find(child->reference());
    if (known == nullptr) {
      child->add_tags(resource.tags());
      known = &catalog_.add_beside(resource, std::move(child), comes_before);
      known->type().finish(*known);
    }
    Resource& earlier = comes_before ? *known : resource;
    const Resource& later = comes_before ? resource : *known;
    const auto is_related = [&](const Resource& one, const Resource& other) {
      for (const std::string_view kind : {"require", "subscribe", "before", "notify"}) {
        const std::vector<std::string> references = one.related(kind);
        if (std::ranges::find(references, other.reference()) != references.end()) return true;
      }
      return false;
    };
    if (!is_related(resource, *known) && !is_related(*known, resource)) {
      earlier.add_related("before", later.reference());
    }
    added.push_back(known);
  }
  for (Resource* child : added) generate_from(*child, seen);
}

void Transaction::check_resources() {
  bool is_refused = false;
  for (Resource* resource : catalog_.resources()) {
    try {
      resource->type().check_before_run(*resource);
    } catch (const Failure& failure) {
      is_refused = true;
      resource->log(LogLevel::kErr, fmt::format("Pre-run check failed: {}", failure.message()));
    }
  }
  if (is_refused) throw RunFailure("Some pre-run checks failed");
}

void Transaction::eval_generate(Resource& resource) {
  std::vector<std::unique_ptr<Resource>> generated;
  try {
    generated = resource.type().eval_generate(resource);
  } catch (const Failure& failure) {
    report_.failed_to_generate = true;
    resource.log(LogLevel::kErr,
                 fmt::format("Failed to generate additional resources using 'eval_generate': {}",
                             failure.log_text()));
    return;
  }
  if (generated.empty()) return;
  std::vector<Resource*> made;
  for (std::unique_ptr<Resource>& child : generated) {
    Resource* known = catalog_.find(child->reference());
    if (known == nullptr) {
      child->add_tags(resource.tags());
      known = &catalog_.add_beside(resource, std::move(child), false);
      known->type().finish(*known);
      look_ahead(*known);
    }
    made.push_back(known);
  }
  // Each belongs below its nearest ancestor among them.
  std::unordered_map<std::string, Resource*> by_name;
  for (Resource* child : made) by_name.emplace(child->name(), child);
  std::vector<std::pair<Resource*, Resource*>> children;
  for (Resource* child : made) {
    Resource* above = &resource;
    std::string path(parent_directory(child->name()));
    while (path.size() > 1 && path != resource.name()) {
      const auto found = by_name.find(path);
      if (found != by_name.end()) {
        above = found->second;
        break;
      }
      path = std::string(parent_directory(path));
    }
    children.emplace_back(child, above);
  }
  graph_->add_generated(resource, children);
}

void Transaction::write_graphs() const {
  if (!context_.options.graph || !context_.options.is_host_config) return;
  const std::string& directory = context_.options.graph_directory;
  create_directory(directory);
  write_file(join_path(directory, "resources.dot"), graph_->containment_dot());
  write_file(join_path(directory, "relationships.dot"), graph_->dot_before_anchors());
  write_file(join_path(directory, "expanded_relationships.dot"),
             graph_->to_dot("Expanded_relationships"));
}

void Transaction::refuse_cycles() {
  const std::vector<std::vector<Resource*>> cycles = graph_->find_cycles();
  if (cycles.empty()) return;
  std::string message =
      fmt::format("Found {} dependency cycle{}:\n", cycles.size(), cycles.size() == 1 ? "" : "s");
  const auto path_text = [](const std::vector<Resource*>& path, std::string_view between,
                            std::string_view quote) {
    std::string text;
    for (const Resource* resource : path) {
      if (!text.empty()) text += between;
      text += fmt::format("{}{}{}", quote, resource->reference(), quote);
    }
    return text;
  };
  for (const std::vector<Resource*>& cycle : cycles) {
    for (const std::vector<Resource*>& path : graph_->paths_in_cycle(cycle, 1)) {
      message += fmt::format("({})\\n", path_text(path, " => ", ""));
    }
  }
  if (context_.options.graph) {
    std::string dot = "digraph Resource_Cycles {\n  label = \"Resource Cycles\"\n";
    for (const std::vector<Resource*>& cycle : cycles) {
      for (const std::vector<Resource*>& path : graph_->paths_in_cycle(cycle, 10)) {
        dot += path_text(path, " -> ", "\"") + "\n";
      }
    }
    create_directory(context_.options.graph_directory);
    const std::string file = join_path(context_.options.graph_directory, "cycles.dot");
    write_file(file, dot + "}\n");
    message += fmt::format("Cycle graph written to {}.", file);
  } else {
    message +=
        "Try the '--graph' option and opening the resulting '.dot' file in OmniGraffle or "
        "GraphViz";
  }
  context_.log.log(LogLevel::kErr, message);
  for (const std::vector<Resource*>& cycle : cycles) {
    for (Resource* resource : cycle) {
      status_of(*resource).add(make_event("resource_error", EventStatus::kFailure,
                                          "resource is part of a dependency cycle"));
    }
  }
  throw RunFailure("One or more resource dependency cycles detected in graph");
}

void Transaction::walk() {
  graph_->begin();
  std::vector<Resource*> set_aside;
  bool has_made_progress = false;
  size_t number = 0;
  const auto is_stopped = [&] { return is_stop_requested_ && context_.options.is_host_config; };
  while (!is_stopped()) {
    Resource* resource = graph_->next();
    if (resource == nullptr) {
      if (set_aside.empty()) break;
      if (has_made_progress) {
        for (Resource* waiting : set_aside) graph_->put_back(*waiting);
      } else {
        give_up_on(set_aside);
      }
      set_aside.clear();
      has_made_progress = false;
      continue;
    }
    if (!resource->is_suitable()) {
      set_aside.push_back(resource);
      continue;
    }
    has_made_progress = true;
    note_provider(*resource);
    prefetch(*resource);
    eval_generate(*resource);
    ++number;
    if (context_.options.progress) {
      context_.options.progress(resource->reference(), number, graph_->size());
    }
    const bool is_traced = context_.options.evaltrace && context_.options.is_host_config;
    if (is_traced) {
      resource->log(LogLevel::kInfo, fmt::format("Starting to evaluate the resource ({} of {})",
                                                 number, graph_->size()));
    }
    const Clock::time_point begun = Clock::now();
    evaluate_one(*resource);
    if (is_traced) {
      resource->log(LogLevel::kInfo,
                    fmt::format("Evaluated in {:.2f} seconds", seconds_since(begun)));
    }
    graph_->finish(*resource);
  }
  while (Resource* resource = graph_->next()) {
    status_of(*resource).is_skipped = true;
    resource->debug("Transaction canceled, skipping");
    graph_->finish(*resource);
  }
  for (const std::string& type : types_without_provider_) {
    context_.log.log(LogLevel::kErr,
                     fmt::format("Could not find a suitable provider for {}", type));
  }
  finish_providers();
}

// Reports and skips resources that have no suitable provider.
void Transaction::give_up_on(const std::vector<Resource*>& resources) {
  for (Resource* resource : resources) {
    if (!is_missing_tags(*resource)) {
      if (const ProviderKind* kind = resource->provider_kind()) {
        resource->log(LogLevel::kErr,
                      fmt::format("Provider {} is not functional on this host{}", kind->name(),
                                  kind->is_supported() ? "" : ": it is not supported yet"));
      } else if (std::ranges::find(types_without_provider_, resource->type().name()) ==
                 types_without_provider_.end()) {
        types_without_provider_.emplace_back(resource->type().name());
      }
      status_of(*resource).has_failed = true;
    }
    graph_->finish(*resource);
  }
}

void Transaction::note_provider(const Resource& resource) {
  const ProviderKind* kind = resource.provider_kind();
  if (kind == nullptr || std::ranges::find(used_providers_, kind) != used_providers_.end()) return;
  used_providers_.push_back(kind);
}

void Transaction::finish_providers() {
  for (const ProviderKind* kind : used_providers_) {
    try {
      kind->finish_run();
    } catch (const RunFailure&) {
      throw;
    } catch (const Failure& failure) {
      context_.log.log(LogLevel::kErr, failure.log_text());
    }
  }
}

void Transaction::prefetch(Resource& resource) {
  const ProviderKind* kind = resource.provider_kind();
  if (kind == nullptr || !kind->can_prefetch()) return;
  const Providers key{&resource.type(), kind};
  if (!prefetched_.insert(key).second) return;
  std::vector<Resource*> resources;
  const bool is_default = resource.type().default_provider(context_) == kind;
  for (Resource* other : catalog_.resources()) {
    if (&other->type() != &resource.type()) continue;
    if (other->provider_kind() == nullptr && is_default) other->set_provider(*kind);
    if (other->provider_kind() == kind) resources.push_back(other);
  }
  if (context_.log.takes(LogLevel::kDebug)) {
    context_.log.log(LogLevel::kDebug, fmt::format("Prefetching {} resources for {}", kind->name(),
                                                   resource.type().name()));
  }
  try {
    kind->prefetch(context_, resources);
  } catch (const RunFailure&) {
    throw;
  } catch (const Failure& failure) {
    context_.log.log(LogLevel::kErr,
                     fmt::format("Could not prefetch {} provider '{}': {}", resource.type().name(),
                                 kind->name(), failure.log_text()));
    failed_prefetches_.insert(key);
  }
}

bool Transaction::has_failed_prefetch(const Resource& resource) const {
  return failed_prefetches_.contains({&resource.type(), resource.provider_kind()});
}

void Transaction::propagate_failure(Resource& resource) {
  if (has_failed_prefetch(resource)) {
    status_of(resource).add(
        make_event("resource_error", EventStatus::kFailure,
                   fmt::format("Prefetch failed for {} provider '{}'", resource.type().name(),
                               resource.provider_kind()->name())));
  }
  std::vector<std::string> failed;
  const auto add = [&](const std::string& reference) {
    if (std::ranges::find(failed, reference) == failed.end()) failed.push_back(reference);
  };
  for (Resource* dependency : graph_->dependencies_of(resource)) {
    const ResourceStatus* status = find_status(*dependency);
    if (status == nullptr) continue;
    for (const std::string& reference : status->failed_dependencies) add(reference);
    if (status->has_failed || status->has_failed_to_restart) add(dependency->reference());
  }
  // From here on the resource has a status, even when its schedule ends the run.
  status_of(resource).failed_dependencies = std::move(failed);
}

void Transaction::evaluate_one(Resource& resource) {
  propagate_failure(resource);
  if (is_skipped(resource)) {
    status_of(resource).is_skipped = true;
    resource.debug("Resource is being skipped, unscheduling all events");
    const auto queue = queues_.find(&resource);
    if (queue != queues_.end() && !queue->second.empty()) {
      resource.log(LogLevel::kInfo,
                   fmt::format("Unscheduling all events on {}", resource.reference()));
      queue->second.clear();
    }
    store_.keep(resource.reference());
    return;
  }
  if (!resolve_deferred(resource)) return;
  ResourceStatus status = harness_.evaluate(resource);
  if (const ResourceStatus* known = find_status(resource)) {
    status.failed_dependencies = known->failed_dependencies;
  }
  const bool has_failed = status.has_failed || status.has_failed_to_restart;
  const std::vector<Event> events = status.events;
  if (resource.type().is_container()) {
    anchor_statuses_[&resource] = std::move(status);
  } else {
    report_.replace_status(std::move(status));
  }
  if (!has_failed) queue_events(resource, events);
  process_events(resource);
}

// Resolves deferred values. Returns whether that succeeded.
bool Transaction::resolve_deferred(Resource& resource) {
  try {
    resource.resolve_deferred();
    return true;
  } catch (const RunFailure&) {
    throw;
  } catch (const Failure& failure) {
    resource.log(LogLevel::kErr, fmt::format("Could not evaluate: {}", failure.log_text()));
    ResourceStatus& status = status_of(resource);
    status.add(make_event("resource_error", EventStatus::kFailure, failure.message()));
    if (context_.options.observer) {
      context_.options.observer(resource.reference(), status, status.events.back());
    }
    return false;
  }
}

bool Transaction::has_tag(const Resource& resource, const std::vector<std::string>& tags) const {
  return resource.is_tagged(tags);
}

bool Transaction::is_missing_tags(const Resource& resource) const {
  return !tags_.empty() && !has_tag(resource, tags_);
}

bool Transaction::has_failed_dependencies(Resource& resource) {
  const ResourceStatus* known = find_status(resource);
  if (known == nullptr || known->failed_dependencies.empty()) return false;
  const ResourceStatus& status = *known;
  const bool is_anchor = resource.type().is_container();
  const bool merges = context_.options.merges_dependency_warnings;
  const auto failed_text = [&](const std::string& reference) {
    const ResourceStatus* failed = report_.find_status(reference);
    return failed == nullptr || failed->has_failed ? "true" : "false";
  };
  if (merges && is_anchor) {
    for (const std::string& reference : status.failed_dependencies) {
      if (!notified_class_dependencies_.insert(reference).second) continue;
      resource.log(LogLevel::kNotice, fmt::format("Class dependency {} has failures: {}", reference,
                                                  failed_text(reference)));
    }
  } else if (!merges && !is_anchor) {
    for (const std::string& reference : status.failed_dependencies) {
      if (!notified_dependencies_.insert(reference).second) continue;
      resource.log(LogLevel::kNotice, fmt::format("Dependency {} has failures: {}", reference,
                                                  failed_text(reference)));
    }
  }
  return true;
}

bool Transaction::is_skipped(Resource& resource) {
  if (!skip_tags_.empty() && has_tag(resource, skip_tags_)) {
    resource.debug(fmt::format("Skipping with skip tags {}", fmt::join(skip_tags_, ", ")));
    return true;
  }
  if (is_missing_tags(resource)) {
    resource.debug(fmt::format("Not tagged with {}", fmt::join(tags_, ", ")));
    return true;
  }
  if (!harness_.is_scheduled(resource)) {
    resource.debug("Not scheduled");
    return true;
  }
  if (has_failed_dependencies(resource)) {
    if (resource.type().is_container()) return true;
    Resource* container = catalog_.container_of(resource);
    if (context_.options.merges_dependency_warnings && container != nullptr) {
      for (const std::string& reference : status_of(resource).failed_dependencies) {
        if (!warned_class_dependencies_.insert(reference).second) continue;
        container->log(LogLevel::kWarning,
                       "Skipping resources in class because of failed class dependencies");
      }
    } else {
      resource.log(LogLevel::kWarning, "Skipping because of failed dependencies");
    }
    return true;
  }
  if (has_failed_prefetch(resource) && status_of(resource).has_failed) {
    resource.log(LogLevel::kWarning, "Skipping because provider prefetch failed");
    return true;
  }
  if (resource.is_virtual()) {
    resource.debug("Skipping because virtual");
    return true;
  }
  return false;
}

void Transaction::queue_events(Resource& source, const std::vector<Event>& events) {
  std::vector<std::pair<std::string, std::vector<const Event*>>> by_name;
  bool is_invalidated = false;
  for (const Event& event : events) {
    is_invalidated |= event.invalidates_refreshes;
    const auto known = std::ranges::find(by_name, event.name,
                                         &std::pair<std::string, std::vector<const Event*>>::first);
    if (known == by_name.end()) {
      by_name.emplace_back(event.name, std::vector<const Event*>{&event});
    } else {
      known->second.push_back(&event);
    }
  }
  for (const auto& [name, list] : by_name) {
    for (const Edge& edge : graph_->edges_from(source)) {
      if (edge.is_notifying && edge.target->type().can_refresh()) {
        queue_for(source, *edge.target, list);
      }
    }
    const Datum& ensure = source.value("ensure");
    const bool is_removal = ensure.is_symbol("absent") || ensure.is_symbol("purged");
    if (source.type().refreshes_itself() && !is_removal) queue_for(source, source, {list.front()});
  }
  if (is_invalidated) {
    source.log(LogLevel::kInfo, fmt::format("Unscheduling refresh on {}", source.reference()));
    queues_[&source].clear();
  }
}

void Transaction::queue_for(Resource& source, Resource& target,
                            const std::vector<const Event*>& events) {
  if (graph_->is_end(target)) {
    source.debug(
        fmt::format("The container {} will propagate my refresh event", target.reference()));
  } else {
    source.log(LogLevel::kInfo, fmt::format("Scheduling refresh of {}", target.reference()));
  }
  std::vector<Queued>& queue = queues_[&target];
  for (const Event* event : events) queue.push_back({event->status});
}

void Transaction::process_events(Resource& resource) {
  const auto found = queues_.find(&resource);
  if (found == queues_.end() || found->second.empty()) return;
  const std::vector<Queued> events = std::move(found->second);
  found->second.clear();
  if (!process_refresh(resource, events)) return;
  queue_events(resource, {make_event("restarted", EventStatus::kSuccess, {})});
  status_of(resource).is_restarted = true;
}

bool Transaction::process_refresh(Resource& resource, const std::vector<Queued>& events) {
  const std::string count = fmt::format("{} event{}", events.size(), events.size() == 1 ? "" : "s");
  const bool are_noop = std::ranges::all_of(
      events, [](const Queued& event) { return event.status == EventStatus::kNoop; });
  if (are_noop || resource.is_noop()) {
    const std::string message = fmt::format("Would have triggered 'refresh' from {}", count);
    resource.log(LogLevel::kNotice, message);
    if (context_.options.observer && !resource.type().is_container()) {
      context_.options.observer(resource.reference(), status_of(resource),
                                make_event("noop_restart", EventStatus::kNoop, message));
    }
    queue_events(resource, {make_event("noop_restart", EventStatus::kNoop, {})});
    return false;
  }
  try {
    resource.type().refresh(resource);
  } catch (const RunFailure&) {
    throw;
  } catch (const Failure& failure) {
    const std::string message = fmt::format("Failed to call refresh: {}", failure.message());
    resource.log(LogLevel::kErr, message);
    ResourceStatus& status = status_of(resource);
    status.has_failed_to_restart = true;
    status.add(make_event("resource_error", EventStatus::kFailure, message));
    resource.log(LogLevel::kErr, failure.log_text());
    return false;
  }
  if (resource.type().is_container()) return true;
  const std::string message = fmt::format("Triggered 'refresh' from {}", count);
  resource.log(LogLevel::kNotice, message);
  ResourceStatus& status = status_of(resource);
  status.add(make_event("refresh", EventStatus::kSuccess, message));
  if (context_.options.observer) {
    context_.options.observer(resource.reference(), status, status.events.back());
  }
  return true;
}

}  // namespace bunraku::apply
