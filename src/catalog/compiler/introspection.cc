// The catalog as seen by code: parameters of resources, tags, and the whole catalog.
#include "catalog/compiler/introspection.h"

#include <algorithm>

#include "base/memory/data_names.h"
#include "base/text/utf8.h"
#include "catalog/compiler/errors.h"
#include "values/changed_objects.h"

namespace bunraku {

// Returns [file, line].
Value Introspection::place_of(const Place& place) {
  ArrayBuilder parts(state_.arena, 2);
  parts.push(Value::string(state_.arena, place.program->path()));
  parts.push(Value::integer(place.program->position(*place.expression).line));
  return parts.finish();
}

Value Introspection::data_of(const Resource& resource) {
  HashBuilder data(state_.arena);
  data.set("type", Value::string(resource.type.text()));
  data.set("title", Value::string(resource.title));
  HashBuilder parameters(state_.arena, resource.parameters.size());
  for (const ResourceParameter& parameter : resource.parameters) {
    parameters.set(parameter.name.text(), parameter.value);
  }
  data.set("parameters", parameters.finish());
  HashBuilder names(state_.arena);
  std::vector<TitlePart> parts;
  if (resource.native != nullptr && parse_title(resource, parts)) {
    for (const TitlePart& part : parts) names.set(part.attribute.text(), part.value);
  } else if (resource.native == nullptr) {
    names.set("name", Value::string(resource.title));
  }
  data.set("names", names.finish());
  if (resource.place.program != nullptr) data.set("place", place_of(resource.place));
  data.set("virtual", Value::boolean(resource.is_virtual));
  data.set("exported", Value::boolean(resource.is_exported));
  ArrayBuilder tags(state_.arena, resource.tags.size());
  for (const Name tag : resource.tags) tags.push(Value::string(tag.text()));
  data.set("tags", tags.finish());
  return data.finish();
}

Resource* Introspection::find_referenced(const Type* reference) {
  if (const auto* class_type = reference->try_as<ClassType>()) {
    return state_.catalog.find_class(class_type->class_name);
  }
  const auto* type = reference->try_as<ResourceType>();
  if (type == nullptr || type->title == nullptr) return nullptr;
  return state_.catalog.find(type->key, *type->title);
}

Value Introspection::resource_data(const Type* reference) {
  const Resource* resource = find_referenced(reference);
  return resource == nullptr ? Value() : data_of(*resource);
}

void Introspection::set_resource_parameter(Scope& scope, const Type* reference, Name name,
                                           Value value, const Place& place) {
  Resource* resource = find_referenced(reference);
  if (resource == nullptr) return;
  if (ResourceParameter* parameter = resource->find(name)) {
    parameter->value = value;
    return;
  }
  resource->parameters.push(state_.arena, {name, value, state_.scope_of(scope).source, place});
}

Value Introspection::scope_resource_data(Scope& scope) {
  const Resource* resource = state_.scope_of(scope).resource;
  if (resource == nullptr) return Value();
  HashBuilder data(state_.arena);
  for (const auto& [key, value] : data_of(*resource).as_hash()) data.set(key, value);
  if (resource->definition != nullptr && resource->definition->place.program != nullptr) {
    data.set("definition", place_of(resource->definition->place));
  }
  return data.finish();
}

void Introspection::update_values(Scope& scope, ChangedObjects& objects) {
  const auto update = [&](Resource& resource) {
    for (ResourceParameter& parameter : resource.parameters) {
      parameter.value = objects.updated(parameter.value);
    }
  };
  if (Resource* own = state_.scope_of(scope).resource) update(*own);
  for (Resource* resource : state_.catalog.resources()) {
    Definition* definition = resource->is_class() ? resource->definition : nullptr;
    Scope* evaluated = definition != nullptr ? definition->scope : nullptr;
    if (evaluated == nullptr || evaluated == &scope) continue;
    update(*resource);
    evaluated->update_variables(objects);
  }
}

Value Introspection::resource_references() {
  ArrayBuilder references(state_.arena, state_.catalog.resources().size());
  for (const Resource* resource : state_.catalog.resources())
    references.push(state_.reference_to(*resource));
  return references.finish();
}

Value Introspection::all_resource_data() {
  ArrayBuilder all(state_.arena, state_.catalog.resources().size());
  for (const Resource* resource : state_.catalog.resources()) all.push(data_of(*resource));
  return all.finish();
}

Value Introspection::class_names() {
  ArrayBuilder names(state_.arena, state_.catalog.classes().size());
  for (const std::string_view name : state_.catalog.classes()) names.push(Value::string(name));
  return names.finish();
}

Value Introspection::defaults_data(const Scope& scope, Name type_name) {
  std::vector<ResourceParameter> defaults;
  attributes_.collect_defaults(scope, type_name, defaults);
  HashBuilder data(state_.arena, defaults.size());
  for (const ResourceParameter& parameter : defaults) {
    data.set(Value::string(parameter.name.text()), parameter.value);
  }
  return data.finish();
}

Value Introspection::catalog_tags() {
  ArrayBuilder tags(state_.arena, state_.catalog.tags().size());
  for (const Name tag : state_.catalog.tags()) tags.push(Value::string(tag.text()));
  return tags.finish();
}

Value Introspection::type_data(Name type_name) {
  const NativeType* type = find_native_type(type_name);
  if (type == nullptr) return Value();
  const auto texts = [this](std::span<const Name> names) {
    ArrayBuilder texts(state_.arena, names.size());
    for (const Name name : names) texts.push(Value::string(name.text()));
    return texts.finish();
  };
  HashBuilder data(state_.arena);
  data.set("keys", texts(type->key_attributes));
  data.set("properties", texts(type->properties));
  data.set("parameters", texts(type->parameters));
  return data.finish();
}

bool Introspection::is_declared(const Type* reference) {
  if (const auto* class_type = reference->try_as<ClassType>()) {
    return state_.catalog.find_class(class_type->class_name) != nullptr;
  }
  const auto& resource = reference->as<ResourceType>();
  return resource.title != nullptr && state_.catalog.find(resource.key, *resource.title) != nullptr;
}

Value Introspection::parameter_of(const ResourceType& reference, std::string_view name,
                                  const Place& place) {
  Resource* resource = state_.catalog.find(reference.key, *reference.title);
  if (resource == nullptr) {
    state_.evaluator.fail(Issue::kUnknownResource, place,
                          {std::string(reference.type_name.text()), std::string(*reference.title)});
  }
  const Name attribute = data_name(name);
  const bool is_known = resource->native != nullptr
                            ? resource->native->has_attribute(attribute)
                            : resource->definition != nullptr &&
                                  (resource->definition->find_parameter(attribute) != nullptr ||
                                   is_metaparameter(attribute) || attribute == "name"_name);
  if (!is_known) {
    state_.evaluator.fail(
        Issue::kUnknownResourceParameter, place,
        {capitalize(reference.key.text()), std::string(*reference.title), std::string(name)});
  }
  const Value value = resource->value_of(attribute);
  if (!value.is_undef()) return value;
  std::vector<ResourceParameter> defaults;
  attributes_.collect_defaults(*resource->scope, resource->type_key, defaults);
  for (const ResourceParameter& parameter : defaults) {
    if (parameter.name == attribute) return parameter.value;
  }
  return Value::undef();
}

void Introspection::add_tags(Scope& scope, std::span<const std::string_view> tags) {
  Resource* resource = state_.scope_of(scope).resource;
  for (const std::string_view tag : tags) {
    if (!add_tag(state_.arena, resource->tags, tag)) {
      fail(Issue::kInvalidTag, {downcase(tag)});
    }
  }
}

bool Introspection::has_tags(Scope& scope, std::span<const std::string_view> tags) {
  const Resource* resource = state_.scope_of(scope).resource;
  return std::ranges::all_of(tags, [&](std::string_view tag) {
    const Name name = data_name(downcase(tag));
    return state_.catalog.tags().contains(name) || resource->has_tag(name);
  });
}

}  // namespace bunraku
