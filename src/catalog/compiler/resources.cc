// How resources come into the catalog.
#include <fmt/format.h>

#include <algorithm>

#include "base/text/utf8.h"
#include "catalog/compiler/compiler.h"
#include "catalog/compiler/errors.h"
#include "site/environment/module_names.h"
#include "types/built_in_types.h"
#include "types/ruby_value_text.h"
#include "types/type_text.h"
#include "values/bounds.h"

namespace bunraku {
namespace {

const Name& class_key() {
  static const Name name("class");
  return name;
}
const Name& node_key() {
  static const Name name("node");
  return name;
}

}  // namespace

Name Compiler::shown_type(Name type_key) {
  const auto [found, is_new] = shown_types_.try_emplace(type_key, type_key);
  if (is_new) found->second = Name(capitalized_segments(type_key.text()));
  return found->second;
}

Resource& Compiler::new_resource(Name type_key, std::string_view title, Scope& scope) {
  Resource& resource = *arena_.make<Resource>();
  resource.type_key = type_key;
  resource.type = shown_type(type_key);
  resource.title = title;
  resource.scope = &scope;
  resource.source = catalog_scope(scope).source;
  return resource;
}

void Compiler::initialize(Resource& resource, std::span<const ResourceParameter> parameters,
                          Origin origin) {
  if (resource.native != nullptr) {
    resource.kind = ResourceKind::kCompilableType;
  } else if (resource.type_key == class_key()) {
    resource.definition = resource.is_main
                              ? &definitions_.main()
                              : definitions_.find_class(Name(downcase(resource.title)));
  } else if (resource.type_key == node_key()) {
    resource.definition = definitions_.find_node(resource.title);
  } else if (resource.native == nullptr && resource.definition == nullptr) {
    resource.native = find_checked_native_type(resource.type_key, resource.place);
    if (resource.native == nullptr)
      resource.definition = definitions_.find_define(resource.type_key);
  }
  if (resource.kind == ResourceKind::kUnknown) {
    if (resource.native != nullptr) {
      resource.kind = ResourceKind::kCompilableType;
    } else if (resource.definition != nullptr && resource.definition->is_define()) {
      resource.kind = ResourceKind::kDefinedType;
    }
  }
  for (const ResourceParameter& parameter : parameters) {
    if (resource.find(parameter.name) != nullptr) {
      fail_at(Issue::kDuplicateParameterGiven,
              {std::string(parameter.name.text()), resource.reference()}, resource.place);
    }
    set_parameter(resource, parameter, origin);
  }
  add_name_tag(arena_, resource.tags, resource.type_key);
  if (!resource.is_main && resource.title_value.is_undef()) {
    add_tag(arena_, resource.tags, resource.title);
  }
  add_defaults_to(resource);
}

// --- parameters ---------------------------------------------------------------------------------

// A hash gives its keys and values; within a list it is its text. A reference as the whole value
// is, for the reference, the list of that resource's parameters.
void Compiler::add_parameter_tags(Resource& resource, Value value) {
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

void Compiler::add_listed_tags(Resource& resource, Value value) {
  static thread_local Nesting nesting;
  NestingGuard guard(nesting, "a value");
  if (value.is_array()) {
    for (const Value item : value.as_array()) add_listed_tags(resource, item);
    return;
  }
  if (value.is_undef()) return;
  const std::string text = ruby_reference_text(value);
  if (!add_tag(arena_, resource.tags, text)) {
    fail_at(Issue::kInvalidTag, {downcase(text)}, resource.place);
  }
}

void Compiler::set_parameter(Resource& resource, const ResourceParameter& parameter,
                             Origin origin) {
  if (provenance_ != nullptr) record_change(resource, parameter, origin);
  store_parameter(resource, parameter);
}

void Compiler::store_parameter(Resource& resource, const ResourceParameter& parameter) {
  static const Name kTag("tag"), kAlias("alias");
  if (parameter.name == kTag) add_parameter_tags(resource, parameter.value);
  if (parameter.name == kAlias && catalog_.contains(resource)) has_late_alias_ = true;
  if (ResourceParameter* existing = resource.find(parameter.name)) {
    *existing = parameter;
  } else {
    resource.parameters.push(arena_, parameter);
  }
}

void Compiler::set_value(Resource& resource, Name name, Value value, Origin origin,
                         const Place& place) {
  ResourceParameter parameter{name, value, resource.source, place};
  if (provenance_ != nullptr) record_change(resource, parameter, origin);
  parameter.place = Place{};
  parameter.is_looked_up = origin == Origin::kData;
  store_parameter(resource, parameter);
}

std::vector<ResourceParameter> Compiler::parameters_from(
    std::span<const EvaluatedParameter> parameters, const Definition* source) {
  std::vector<ResourceParameter> result;
  result.reserve(parameters.size());
  for (const EvaluatedParameter& parameter : parameters) {
    Value value = parameter.value;
    // Arrays of relationships grow; those of one declaration share theirs, no others do.
    if (value.is_array() && is_relationship_metaparameter(parameter.name)) {
      value = Value::array(arena_.copy(value.as_array()));
    }
    result.push_back({parameter.name, value, source, parameter.place, parameter.append});
  }
  return result;
}

// Those of outer scopes first; an inner one takes the place of an outer one.
void Compiler::collect_defaults(const Scope& scope, Name type_key,
                                std::vector<ResourceParameter>& found) {
  if (scope.parent() != nullptr) collect_defaults(*scope.parent(), type_key, found);
  if (scope.catalog == nullptr) return;
  for (const CatalogScope::Default& entry : scope.catalog->defaults) {
    if (entry.type_key != type_key) continue;
    const auto same = std::find_if(found.begin(), found.end(), [&](const ResourceParameter& other) {
      return other.name == entry.parameter.name;
    });
    if (same == found.end()) {
      found.push_back(entry.parameter);
    } else {
      *same = entry.parameter;
    }
  }
}

void Compiler::add_defaults_to(Resource& resource) {
  static const Name kTag("tag");
  std::vector<ResourceParameter> defaults;
  collect_defaults(*resource.scope, resource.type_key, defaults);
  for (const ResourceParameter& parameter : defaults) {
    if (resource.find(parameter.name) != nullptr) continue;
    resource.parameters.push(arena_, parameter);
    if (provenance_ != nullptr) record_change(resource, parameter, Origin::kResourceDefault);
    if (parameter.name == kTag) add_parameter_tags(resource, parameter.value);
  }
}

bool Compiler::is_default(const Scope& scope, Name type_key, Name name, Value value) {
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

void Compiler::add_defaults(Scope& scope, Name type_name,
                            std::span<const EvaluatedParameter> parameters, const Place& place) {
  (void)place;
  CatalogScope& own = catalog_scope(scope);
  for (const ResourceParameter& parameter : parameters_from(parameters, own.source)) {
    for (const CatalogScope::Default& entry : own.defaults) {
      if (entry.type_key != type_name || entry.parameter.name != parameter.name) continue;
      fail_at(Issue::kDuplicateDefaults,
              {capitalized_segments(type_name.text()), std::string(parameter.name.text())},
              parameter.place);
    }
    own.defaults.push(arena_, {type_name, parameter});
  }
}

// --- declaring ----------------------------------------------------------------------------------

void Compiler::add_resource(Scope& scope, Resource& resource) {
  static const Name kStage("stage");
  resources_.push_back(&resource);
  by_type_[resource.type_key].push_back(&resource);
  if (resource.native == nullptr) unevaluated_.push_back(&resource);
  catalog_.add(resource);
  const bool is_class = resource.type_key == class_key();
  if (!is_class && !resource.value_of(kStage).is_undef()) {
    fail(Issue::kStageOfResource, {resource.reference()});
  }
  if (is_class || resource.type_key == kStage) return;
  if (Resource* container = catalog_scope(scope).resource) {
    catalog_.add_containment(*container, resource);
  }
}

// Parents of classes come into the catalog with their first child; tags of classes and nodes are
// the catalog's too.
void Compiler::prepare_declaration(Scope& scope, Resource& resource) {
  if (resource.definition == nullptr) return;
  if (resource.definition->parent_name &&
      catalog_.find_class(resource.definition->parent_name) == nullptr) {
    Definition& parent = *definitions_.parent_of(*resource.definition);
    record_class(parent, Provenance::Request::Kind::kInherits, resource.definition->place, scope);
    ensure_class(scope, parent);
  }
  if (resource.type_key == class_key() || resource.type_key == node_key()) {
    catalog_.merge_tags(resource.tags);
  }
}

Resource& Compiler::ensure_declared(Scope& scope, Definition& definition,
                                    std::span<const ResourceParameter> parameters,
                                    bool with_parameters) {
  static thread_local Nesting nesting;
  NestingGuard guard(nesting, "a class");
  const Name type_key = definition.is_node() ? node_key() : class_key();
  if (!with_parameters) {
    if (Resource* existing = catalog_.find(type_key, definition.name.text())) return *existing;
  }
  const std::string_view title = definition.is_node()
                                     ? definition.name.text()
                                     : arena_.copy(class_title(definition.name.text()));
  Resource& resource = new_resource(type_key, title, scope);
  resource.source = &definition;
  resource.definition = &definition;
  initialize(resource, parameters, Origin::kClassifier);
  prepare_declaration(scope, resource);
  add_resource(scope, resource);
  return resource;
}

Resource& Compiler::ensure_class(Scope& scope, Definition& definition) {
  return ensure_declared(scope, definition, {}, false);
}

std::vector<Resource*> Compiler::declare_classes(Scope& scope, std::span<Definition* const> classes,
                                                 bool evaluate_now) {
  std::vector<Resource*> included, added;
  for (Definition* definition : classes) {
    if (definition->scope != nullptr) {
      included.push_back(definition->scope->catalog->resource);
    } else {
      added.push_back(&ensure_class(scope, *definition));
    }
  }
  if (evaluate_now) {
    for (Resource* resource : added) evaluate_resource(*resource);
  }
  included.insert(included.end(), added.begin(), added.end());
  return included;
}

namespace {

// Of what is no string.
std::string title_text(Value title) {
  std::string text = reference_text(title);
  if (text.empty()) append_ruby_to_s(text, title);
  return text;
}

// Null for what a function declares.
const ResourceExpression* resource_expression(const Place& place) {
  return place.expression != nullptr ? place.expression->try_as<ResourceExpression>() : nullptr;
}

// Is the type written as ::name? Only defines have such names.
bool is_absolute(const Place& place) {
  const auto* resource = resource_expression(place);
  const auto* name = resource != nullptr ? resource->type_name->try_as<QualifiedName>() : nullptr;
  return name != nullptr && name->name.text().starts_with("::");
}

// Is the type written as Resource[name]? Messages show it with capitals then.
bool is_reference(const Place& place) {
  const auto* resource = resource_expression(place);
  return resource != nullptr && resource->type_name->kind == NodeKind::kAccessExpression;
}

}  // namespace

void Compiler::fail_unknown_resource_type(Name name, const Place& place) {
  std::vector<std::string> known = definitions_.define_names();
  for (const NativeType& type : native_types()) known.emplace_back(type.name.text());
  for (std::string& type : names_in_modules(environment_, NameKind::kResourceType)) {
    known.push_back(std::move(type));
  }
  const std::string shown =
      is_reference(place) ? capitalized_segments(name.text()) : std::string(name.text());
  fail_unknown(Issue::kUnknownDeclaredType, {shown}, name.text(), std::move(known));
}

void Compiler::fail_untitled(Name type_key, const NativeType* native, const Definition* define) {
  const std::string name = native != nullptr   ? fmt::format(":{}", type_key.text())
                           : define != nullptr ? fmt::format("\"{}\"", type_key.text())
                                               : "nil";
  fail(Issue::kUntitledReference, {name});
}

// A component stands for a class, and what a component or whit has as its title for the resource
// that it names.
ResourceName Compiler::native_resource_name(Name type_key, std::string_view title) {
  static const Name kComponent("component"), kWhit("whit");
  if (type_key != kComponent && type_key != kWhit) return {type_key, title};
  const WrittenReference written = parse_reference(title);
  ResourceName name{catalog_type_key(type_key), title};
  if (!written.type.empty()) {
    name = {catalog_type_key(Name(downcase(written.type))), arena_.copy(written.title)};
  }
  if (name.type_key == class_key()) name.title = arena_.copy(class_title(name.title));
  return name;
}

Value Compiler::create_resources(Scope& scope, const ResourceRequest& request) {
  const bool is_class = request.type_name == class_key();
  const NativeType* native = nullptr;
  Definition* define = nullptr;
  if (!is_class) {
    native = find_checked_native_type(request.type_name, request.place);
    if (native == nullptr) define = definitions_.find_define(request.type_name);
    if (native != nullptr && is_absolute(request.place)) {
      fail(Issue::kUnknownDeclaredType, {fmt::format("::{}", request.type_name.text())});
    }
    if (native == nullptr && define == nullptr) {
      fail_unknown_resource_type(request.type_name, request.place);
    }
  }
  const std::vector<ResourceParameter> parameters =
      parameters_from(request.parameters, catalog_scope(scope).source);
  ArrayBuilder references(arena_, request.titles.size());
  for (const Value title_value : request.titles) {
    if (title_value.is_undef()) fail_untitled(request.type_name, native, define);
    const bool is_text = title_value.is_string();
    std::string_view title =
        is_text ? title_value.as_string() : arena_.copy(title_text(title_value));
    if (is_class) {
      if (title.starts_with("::")) title.remove_prefix(2);
      const std::string class_name = downcase(title);
      title = arena_.copy(class_title(class_name));
      if (definitions_.find_class(Name(downcase(title))) == nullptr) {
        fail_unknown(Issue::kUnknownDeclaredClass, {std::string(class_name)}, class_name,
                     definitions_.class_names());
      }
    }
    const ResourceName name = native == nullptr ? ResourceName{request.type_name, title}
                                                : native_resource_name(request.type_name, title);
    Resource& resource = new_resource(name.type_key, name.title, scope);
    if (!is_text && name.type_key != class_key()) resource.title_value = title_value;
    resource.native = native;
    resource.definition = define;
    resource.place = request.place;
    if (is_class) resource.kind = ResourceKind::kClass;
    resource.is_exported = request.form == ResourceForm::kExported;
    resource.is_from_function = request.is_from_function;
    resource.is_virtual = request.form != ResourceForm::kRegular;
    initialize(resource, parameters);
    if (resource.definition != nullptr) prepare_declaration(scope, resource);
    add_resource(scope, resource);
    if (is_class) {
      Definition* const definition = resource.definition;
      record_class(*definition, Provenance::Request::Kind::kDeclaration, request.place, scope);
      try {
        declare_classes(scope, {&definition, 1}, true);
      } catch (const EvaluationError& error) {
        throw_with_step(error, request.place, "declared here");
      }
    }
    // Of a class, too, it is the type of a resource, with the title as the catalog has it.
    references.push(Value::type(types::resource(arena_, resource.type.text(), resource.title)));
  }
  return references.finish();
}

namespace {

Provenance::Request::Kind request_kind(CatalogHost::ClassCall call) {
  using Kind = Provenance::Request::Kind;
  switch (call) {
    case CatalogHost::ClassCall::kInclude:
      return Kind::kInclude;
    case CatalogHost::ClassCall::kContain:
      return Kind::kContain;
    case CatalogHost::ClassCall::kRequire:
      return Kind::kRequire;
  }
  return Kind::kInclude;
}

}  // namespace

Value Compiler::include_classes(Scope& scope, ClassCall kind, std::span<const Name> names,
                                const Place& place) {
  std::vector<Definition*> classes;
  ArrayBuilder references(arena_, names.size());
  for (const Name name : names) {
    Definition* definition = definitions_.find_class(name);
    if (definition == nullptr) {
      fail_unknown(Issue::kUnknownClass,
                   {fmt::format("::{}", name.text()), std::string(node_.name)}, name.text(),
                   definitions_.class_names());
    }
    classes.push_back(definition);
    record_class(*definition, request_kind(kind), place, scope);
    references.push(Value::type(types::class_type(arena_, name.text())));
  }
  const std::vector<Resource*> included = [&] {
    try {
      return declare_classes(scope, classes, true);
    } catch (const EvaluationError& error) {
      throw_with_step(error, place, "included here");
    }
  }();
  Resource* const container = catalog_scope(scope).resource;
  if (kind == ClassCall::kContain) {
    for (Resource* resource : included) {
      if (!catalog_.is_contained(*container, *resource)) {
        catalog_.add_containment(*container, *resource);
      }
    }
  } else if (kind == ClassCall::kRequire) {
    static const Name kRequire("require");
    for (const Definition* definition : classes) {
      ArrayBuilder required(arena_);
      const Value before = container->value_of(kRequire);
      if (before.is_array()) {
        required.push_all(before.as_array());
      } else if (!before.is_undef()) {
        required.push(before);
      }
      required.push(Value::type(types::class_type(arena_, definition->name.text())));
      set_value(*container, kRequire, required.finish(), Origin::kRequire, place);
    }
  }
  return references.finish();
}

// --- questions ----------------------------------------------------------------------------------

const NativeType* Compiler::find_checked_native_type(Name type_key, const Place& place) {
  if (const auto found = native_types_.find(type_key); found != native_types_.end()) {
    return found->second;
  }
  const NativeType* native = nullptr;
  if (type_key.text().find(':') == std::string_view::npos) {
    native = find_native_type(type_key);
    if (native == nullptr) native = ruby_types_.load_generated(type_key);
    if (native == nullptr || !native->file_digest.empty()) {
      const std::string file = fmt::format("lib/puppet/type/{}.rb", type_key.text());
      for (const Module& module : environment_.modules()) {
        if (!environment_.has_file(&module, file)) continue;
        const std::string path = environment_.path_in(&module, file);
        if (native != nullptr && loader_.digest(path) == native->file_digest) break;
        native = ruby_types_.load(type_key, path, place);
        break;
      }
    }
  }
  native_types_[type_key] = native;
  return native;
}

bool Compiler::is_resource_type(Name lower_case_name, const Place& place) {
  return find_checked_native_type(lower_case_name, place) != nullptr ||
         definitions_.find_define(lower_case_name) != nullptr;
}

bool Compiler::is_known_class(Name class_name, const Place& place) {
  (void)place;
  return definitions_.find_class(class_name) != nullptr;
}

Scope* Compiler::class_scope(Name class_name) {
  Definition* definition = definitions_.find_class(class_name);
  return definition != nullptr ? definition->scope : nullptr;
}

bool Compiler::is_declared(const Type* reference) {
  if (const auto* class_type = reference->try_as<ClassType>()) {
    return catalog_.find_class(class_type->class_name) != nullptr;
  }
  const auto& resource = reference->as<ResourceType>();
  return resource.title != nullptr && catalog_.find(resource.key, *resource.title) != nullptr;
}

Value Compiler::parameter_of(Scope& scope, const ResourceType& reference, std::string_view name,
                             const Place& place) {
  (void)scope;
  Resource* resource = catalog_.find(reference.key, *reference.title);
  if (resource == nullptr) {
    evaluator_.fail(Issue::kUnknownResource, place,
                    {std::string(reference.type_name.text()), std::string(*reference.title)});
  }
  const Name attribute(name);
  const bool is_known = resource->native != nullptr
                            ? resource->native->has_attribute(attribute)
                            : resource->definition != nullptr &&
                                  (resource->definition->find_parameter(attribute) != nullptr ||
                                   is_metaparameter(attribute) || attribute == "name"_name);
  if (!is_known) {
    evaluator_.fail(
        Issue::kUnknownResourceParameter, place,
        {capitalize(reference.key.text()), std::string(*reference.title), std::string(name)});
  }
  const Value value = resource->value_of(attribute);
  if (!value.is_undef()) return value;
  std::vector<ResourceParameter> defaults;
  collect_defaults(*resource->scope, resource->type_key, defaults);
  for (const ResourceParameter& parameter : defaults) {
    if (parameter.name == attribute) return parameter.value;
  }
  return Value::undef();
}

void Compiler::add_tags(Scope& scope, std::span<const std::string_view> tags) {
  Resource* resource = catalog_scope(scope).resource;
  for (const std::string_view tag : tags) {
    if (!add_tag(arena_, resource->tags, tag)) {
      fail(Issue::kInvalidTag, {downcase(tag)});
    }
  }
}

bool Compiler::has_tags(Scope& scope, std::span<const std::string_view> tags) {
  const Resource* resource = catalog_scope(scope).resource;
  return std::all_of(tags.begin(), tags.end(), [&](std::string_view tag) {
    const Name name(downcase(tag));
    return catalog_.tags().contains(name) || resource->has_tag(name);
  });
}

Value Compiler::reference_to(const Resource& resource) {
  if (resource.type_key == class_key()) {
    return Value::type(types::class_type(arena_, downcase(resource.title)));
  }
  return Value::type(types::resource(arena_, resource.type.text(), resource.title));
}

}  // namespace bunraku
