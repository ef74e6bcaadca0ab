// Overrides of resources.
#include "catalog/compiler/overrides.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics/log.h"
#include "base/system/reads.h"
#include "base/text/ruby_text.h"
#include "base/text/utf8.h"
#include "catalog/compiler/errors.h"
#include "evaluation/overload.h"
#include "types/ruby_value_text.h"
#include "types/type_text.h"
#include "values/flattened.h"

namespace bunraku {

namespace {

// The text for the code that set a parameter. The reference shows an object's address here.
std::string shown(const Definition& source) {
  if (source.name.empty()) return "Class[main]";
  const std::string name = capitalized_segments(source.name.text());
  switch (source.kind) {
    case Definition::Kind::kClass:
      return fmt::format("Class[{}]", name);
    case Definition::Kind::kNode:
      return fmt::format("Node[{}]", source.name.text());
    case Definition::Kind::kDefine:
      break;
  }
  return name;
}

}  // namespace

// --- overrides ----------------------------------------------------------------------------------

void Overrides::override_resource(Scope& scope, const ResourceType& reference,
                                  std::span<const EvaluatedParameter> parameters,
                                  const Place& place) {
  static const Name kComponent("component");
  const NativeType* native = known_types_.find(reference.key, place);
  const Definition* define =
      native == nullptr ? state_.definitions.find_define(reference.key) : nullptr;
  if (reference.title == nullptr) known_types_.fail_untitled(reference.key, native, define);
  ResourceName name{reference.key, *reference.title};
  // A reference of unknown type is taken for a class.
  if (define == nullptr) {
    name = known_types_.native_resource_name(native != nullptr ? reference.key : kComponent,
                                             name.title);
  }
  const Definition* source = state_.scope_of(scope).source;
  Override change{name.type_key, name.title, source, place, {}, Origin::kOverride};
  change.parameters.reserve(parameters.size());
  for (const EvaluatedParameter& parameter : parameters) {
    change.parameters.push_back(
        {parameter.name, parameter.value, source, parameter.place, parameter.append});
  }
  add_override(std::move(change));
}

void Overrides::add_override(Override change) {
  for (auto at = change.parameters.begin(); at != change.parameters.end(); ++at) {
    const auto is_same = [&](const ResourceParameter& other) { return other.name == at->name; };
    if (std::any_of(change.parameters.begin(), at, is_same)) {
      fail_at(Issue::kDuplicateParameterGiven,
              {std::string(at->name.text()),
               fmt::format("{}[{}]", capitalized_segments(change.type_key.text()), change.title)},
              change.place);
    }
  }
  if (Resource* resource = state_.catalog.find(change.type_key, change.title)) {
    apply_override(*resource, change);
  } else {
    waiting_.push_back(std::move(change));
  }
}

void Overrides::apply_override(Resource& resource, const Override& change) {
  if (change.source != resource.source && !change.source->is_child_of(resource.source)) {
    fail_at(Issue::kIllegalOverride, {"Only subclasses can override parameters"}, change.place);
  }
  if (resource.is_evaluated) {
    const std::string where = location_text(resource);
    std::string message = where.empty()
                              ? "Attempt to override an already evaluated resource with new values"
                              : fmt::format(
                                    "Attempt to override an already evaluated resource, "
                                    "defined at {}, with new values",
                                    where);
    switch (state_.evaluator.settings().strict) {
      case Strictness::kOff:
        break;
      case Strictness::kError:
        fail_at(Issue::kIllegalOverride, {std::move(message)}, change.place);
      case Strictness::kWarning: {
        const std::string here = location_text(change.place);
        if (!here.empty()) message.append(" ").append(here);
        LogRecord record;
        record.level = LogLevel::kWarning;
        record.message = std::move(message);
        if (state_.evaluator.host().log != nullptr) state_.evaluator.host().log->log(record);
        break;
      }
    }
  }
  for (const ResourceParameter& parameter : change.parameters) {
    override_parameter(resource, parameter, change.origin);
  }
}

void Overrides::override_parameter(Resource& resource, ResourceParameter parameter, Origin origin) {
  resource.is_overridden = true;
  const ResourceParameter* current = resource.find(parameter.name);
  if (current == nullptr) return attributes_.set_parameter(resource, parameter, origin);
  if (attributes_.is_default(*resource.scope, resource.type_key, parameter.name, parameter.value))
    return;
  const bool replaces_default =
      parameter.source == current->source &&
      attributes_.is_default(*resource.scope, resource.type_key, parameter.name, current->value);
  if (!parameter.source->is_child_of(current->source) && !replaces_default) {
    // In the reference, a value that a function set has no place of its own.
    const bool is_of_function =
        resource.is_from_function && current->place.expression == resource.place.expression;
    const std::string where = is_of_function ? "" : location_text(current->place);
    Diagnostic diagnostic = make_diagnostic(
        Issue::kIllegalOverride, Range{},
        {fmt::format("Parameter '{}' is already set on {} by {}{}; cannot redefine",
                     parameter.name.text(), resource.reference(), shown(*current->source),
                     where.empty() ? "" : " at " + where)});
    if (current->place.program != nullptr) {
      diagnostic.labels.push_back({current->place.range(), "first set here"});
    }
    fail_at(std::move(diagnostic), parameter.place);
  }
  if (parameter.is_append) {
    const Value both[] = {current->value, parameter.value};
    parameter.value = Value::array(state_.arena.copy(flattened(state_.arena, both)));
  }
  attributes_.set_parameter(resource, parameter, origin);
}

void Overrides::begin_late() {
  for (size_t i = 0; i < waiting_.size(); ++i) {
    late_[waiting_[i].type_key][waiting_[i].title].push_back(i);
  }
  is_applied_.assign(waiting_.size(), false);
}

void Overrides::apply_late(Resource& resource) {
  const auto of_type = late_.find(resource.type_key);
  if (of_type == late_.end()) return;
  const auto found = of_type->second.find(resource.title);
  if (found == of_type->second.end()) return;
  for (const size_t number : found->second) {
    apply_override(resource, waiting_[number]);
    is_applied_[number] = true;
  }
}

void Overrides::end_late() {
  std::vector<Override> waiting;
  for (size_t i = 0; i < waiting_.size(); ++i) {
    if (!is_applied_[i]) waiting.push_back(std::move(waiting_[i]));
  }
  waiting_ = std::move(waiting);
  late_.clear();
}

}  // namespace bunraku
