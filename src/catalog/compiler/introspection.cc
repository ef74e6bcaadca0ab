// The catalog as code sees it that looks at it as a whole: Ruby code of modules.

#include "catalog/compiler/compiler.h"

namespace bunraku {

namespace {

// Not only equal: one array, or one hash, that two have.
bool is_same_object(Value a, Value b) {
  if (a.is_array() && b.is_array()) {
    return a.as_array().data() == b.as_array().data() && a.as_array().size() == b.as_array().size();
  }
  return a.is_hash() && b.is_hash() && &a.as_hash() == &b.as_hash();
}

}  // namespace

Value Compiler::data_of(const Resource& resource) {
  HashBuilder data(arena_);
  data.set("type", Value::string(resource.type.text()));
  data.set("title", Value::string(resource.title));
  HashBuilder parameters(arena_, resource.parameters.size());
  for (const ResourceParameter& parameter : resource.parameters) {
    parameters.set(parameter.name.text(), parameter.value);
  }
  data.set("parameters", parameters.finish());
  HashBuilder names(arena_);
  std::vector<TitlePart> parts;
  if (resource.native != nullptr && parse_title(resource, parts)) {
    for (const TitlePart& part : parts) names.set(part.attribute.text(), part.value);
  }
  data.set("names", names.finish());
  if (resource.place.program != nullptr) {
    data.set("file", Value::string(arena_, resource.place.program->path()));
    data.set("line",
             Value::integer(resource.place.program->position(*resource.place.expression).line));
  }
  data.set("virtual", Value::boolean(resource.is_virtual));
  data.set("exported", Value::boolean(resource.is_exported));
  ArrayBuilder tags(arena_, resource.tags.size());
  for (const Name tag : resource.tags) tags.push(Value::string(tag.text()));
  data.set("tags", tags.finish());
  return data.finish();
}

Resource* Compiler::find_referenced(const Type* reference) {
  if (const auto* class_type = reference->try_as<ClassType>()) {
    return catalog_.find_class(class_type->class_name);
  }
  const auto* type = reference->try_as<ResourceType>();
  if (type == nullptr || type->title == nullptr) return nullptr;
  return catalog_.find(type->key, *type->title);
}

Value Compiler::resource_data(const Type* reference) {
  const Resource* resource = find_referenced(reference);
  return resource == nullptr ? Value() : data_of(*resource);
}

void Compiler::set_resource_parameter(Scope& scope, const Type* reference, Name name, Value value,
                                      const Place& place) {
  Resource* resource = find_referenced(reference);
  if (resource == nullptr) return;
  if (ResourceParameter* parameter = resource->find(name)) {
    parameter->value = value;
    return;
  }
  resource->parameters.push(arena_, {name, value, catalog_scope(scope).source, place});
}

Value Compiler::scope_resource_data(Scope& scope) {
  const Resource* resource = catalog_scope(scope).resource;
  return resource == nullptr ? Value() : data_of(*resource);
}

void Compiler::replace_value(Scope& scope, Name name, Value before, Value after) {
  Resource* resource = catalog_scope(scope).resource;
  ResourceParameter* parameter = resource == nullptr ? nullptr : resource->find(name);
  if (parameter != nullptr && is_same_object(parameter->value, before)) parameter->value = after;
}

Value Compiler::resource_references() {
  ArrayBuilder references(arena_, catalog_.resources().size());
  for (const Resource* resource : catalog_.resources()) references.push(reference_to(*resource));
  return references.finish();
}

Value Compiler::all_resource_data() {
  ArrayBuilder all(arena_, catalog_.resources().size());
  for (const Resource* resource : catalog_.resources()) all.push(data_of(*resource));
  return all.finish();
}

Value Compiler::class_names() {
  ArrayBuilder names(arena_, catalog_.classes().size());
  for (const std::string_view name : catalog_.classes()) names.push(Value::string(name));
  return names.finish();
}

Value Compiler::defaults_data(const Scope& scope, Name type_name) {
  std::vector<ResourceParameter> defaults;
  collect_defaults(scope, type_name, defaults);
  HashBuilder data(arena_, defaults.size());
  for (const ResourceParameter& parameter : defaults) {
    data.set(Value::string(parameter.name.text()), parameter.value);
  }
  return data.finish();
}

Value Compiler::catalog_tags() {
  ArrayBuilder tags(arena_, catalog_.tags().size());
  for (const Name tag : catalog_.tags()) tags.push(Value::string(tag.text()));
  return tags.finish();
}

Value Compiler::type_data(Name type_name) {
  const NativeType* type = find_native_type(type_name);
  if (type == nullptr) return Value();
  const auto texts = [this](std::span<const Name> names) {
    ArrayBuilder texts(arena_, names.size());
    for (const Name name : names) texts.push(Value::string(name.text()));
    return texts.finish();
  };
  HashBuilder data(arena_);
  data.set("keys", texts(type->key_attributes));
  data.set("properties", texts(type->properties));
  data.set("parameters", texts(type->parameters));
  return data.finish();
}

}  // namespace bunraku
