// Recording of the origins of a catalog.
#include "catalog/compiler/recorder.h"

#include "catalog/compiler/collector.h"
#include "catalog/compiler/definition.h"
#include "evaluation/scope.h"

namespace bunraku {

namespace {

// Returns the class or node of a definition; for a define, the surrounding resource, if it is of
// that define.
const Resource* owner_of(const Definition* source, const Resource& resource) {
  const CatalogScope* around = resource.scope->catalog;
  if (around != nullptr && around->source == source) return around->resource;
  return source != nullptr && source->scope != nullptr ? resource_of(*source->scope) : nullptr;
}

}  // namespace

void Recorder::start(Provenance& provenance, RecordingData& data) {
  provenance_ = &provenance;
  data_ = &data;
}

void Recorder::change(const Resource& resource, const ResourceParameter& parameter, Origin origin,
                      const Resource* container) {
  if (provenance_ == nullptr) return;
  Provenance::Change change{parameter.name, origin, parameter.value, parameter.place,
                            parameter.is_append};
  change.by = owner_of(parameter.source, resource);
  change.container = container;
  if (origin == Origin::kData) change.data = data_->last_answer();
  provenance_->add_change(resource, change);
}

void Recorder::class_request(const Definition& definition, Provenance::Request::Kind kind,
                             const Place& place, const Scope& scope) {
  if (provenance_ == nullptr) return;
  provenance_->add_class(definition.name, {kind, place, resource_of(scope)});
}

void Recorder::realization(const Resource& resource, const Collector& collector) {
  if (provenance_ == nullptr) return;
  using Kind = Provenance::Request::Kind;
  const bool is_call = collector.kind == Collector::Kind::kFixedSet;
  provenance_->add_realization(resource, {is_call ? Kind::kRealize : Kind::kCollector,
                                          collector.place, resource_of(*collector.scope)});
}

}  // namespace bunraku
