// Attributes of resources, their defaults and tags.
#include "catalog/compiler/attributes.h"

#include <algorithm>
#include <memory>
#include <span>

#include "base/text/utf8.h"
#include "catalog/compiler/errors.h"
#include "catalog/compiler/references.h"
#include "types/type_text.h"
#include "values/bounds.h"

namespace bunraku {

// Adds the tags of a value. The tags of a hash are its keys and values; a hash within a list is one
// text. The reference treats a resource reference as the list of that resource's parameters.
void Attributes::add_parameter_tags(Resource& resource, Value value) {
  if (value.is_type() && is_given_reference(value.as_type())) return;
  if (value.is_hash()) {
    for (const HashEntry& entry : value.as_hash()) {
      add_listed_tags(resource, entry.key);
      add_listed_tags(resource, entry.value);
    }
  } else {
    add_listed_tags(resource, value);
  }
}

void Attributes::add_listed_tags(Resource& resource, Value value) {
  static thread_local Nesting nesting;
  const NestingGuard guard(nesting, "a value");
  if (value.is_array()) {
    for (const Value item : value.as_array()) add_listed_tags(resource, item);
    return;
  }
  if (value.is_undef()) return;
  const std::string text = ruby_reference_text(value);
  if (!add_tag(state_.arena, resource.tags, text)) {
    fail_at(Issue::kInvalidTag, {downcase(text)}, resource.place);
  }
}

void Attributes::set_parameter(Resource& resource, const ResourceParameter& parameter,
                               Origin origin) {
  state_.recorder.change(resource, parameter, origin);
  store_parameter(resource, parameter);
}

void Attributes::store_parameter(Resource& resource, const ResourceParameter& parameter) {
  static const Name kTag("tag"), kAlias("alias");
  if (parameter.name == kTag) add_parameter_tags(resource, parameter.value);
  if (parameter.name == kAlias && state_.catalog.contains(resource)) has_late_alias_ = true;
  if (ResourceParameter* existing = resource.find(parameter.name)) {
    *existing = parameter;
  } else {
    resource.parameters.push(state_.arena, parameter);
  }
}

void Attributes::set_value(Resource& resource, Name name, Value value, Origin origin,
                           const Place& place) {
  ResourceParameter parameter{name, value, resource.source, place};
  state_.recorder.change(resource, parameter, origin);
  parameter.place = Place{};
  parameter.is_looked_up = origin == Origin::kData;
  store_parameter(resource, parameter);
}

ResourceParameterList Attributes::parameters_from(std::span<const EvaluatedParameter> parameters,
                                                  const Definition* source) {
  ResourceParameterList result;
  result.reserve(parameters.size());
  for (const EvaluatedParameter& parameter : parameters) {
    result.push_back({parameter.name, parameter.value, source, parameter.place, parameter.append});
  }
  return result;
}

// Defaults of outer scopes are first; those of inner scopes replace them.
void Attributes::collect_defaults(const Scope& scope, Name type_key,
                                  std::vector<ResourceParameter>& found) {
  if (scope.parent() != nullptr) collect_defaults(*scope.parent(), type_key, found);
  if (scope.catalog == nullptr) return;
  for (const CatalogScope::Default& entry : scope.catalog->defaults) {
    if (entry.type_key != type_key) continue;
    const auto same = std::ranges::find_if(
        found, [&](const ResourceParameter& other) { return other.name == entry.parameter.name; });
    if (same == found.end()) {
      found.push_back(entry.parameter);
    } else {
      *same = entry.parameter;
    }
  }
}

void Attributes::add_defaults_to(Resource& resource) {
  static const Name kTag("tag");
  std::vector<ResourceParameter> defaults;
  collect_defaults(*resource.scope, resource.type_key, defaults);
  for (const ResourceParameter& parameter : defaults) {
    if (resource.find(parameter.name) != nullptr) continue;
    resource.parameters.push(state_.arena, parameter);
    state_.recorder.change(resource, parameter, Origin::kResourceDefault);
    if (parameter.name == kTag) add_parameter_tags(resource, parameter.value);
  }
}

bool Attributes::is_default(const Scope& scope, Name type_key, Name name, Value value) {
  for (const Scope* at = &scope; at != nullptr; at = at->parent()) {
    if (at->catalog == nullptr) continue;
    for (const CatalogScope::Default& entry : at->catalog->defaults) {
      if (entry.type_key == type_key && entry.parameter.name == name &&
          identical(entry.parameter.value, value)) {
        return true;
      }
    }
  }
  return false;
}

void Attributes::add_defaults(Scope& scope, Name type_name,
                              std::span<const EvaluatedParameter> parameters) {
  CatalogScope& own = state_.scope_of(scope);
  for (const ResourceParameter& parameter : parameters_from(parameters, own.source)) {
    for (const CatalogScope::Default& entry : own.defaults) {
      if (entry.type_key != type_name || entry.parameter.name != parameter.name) continue;
      fail_at(Issue::kDuplicateDefaults,
              {capitalized_segments(type_name.text()), std::string(parameter.name.text())},
              parameter.place);
    }
    own.defaults.push(state_.arena, {type_name, parameter});
  }
}

}  // namespace bunraku
