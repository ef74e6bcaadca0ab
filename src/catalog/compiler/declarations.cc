// Declaration of resources.
#include "catalog/compiler/declarations.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/memory/data_names.h"
#include "base/text/utf8.h"
#include "catalog/compiler/errors.h"
#include "catalog/compiler/references.h"
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

// "File[/etc/motd]"
std::string_view made_reference(Arena& arena, std::string_view type, std::string_view title) {
  const size_t size = type.size() + title.size() + 2;
  char* const text = static_cast<char*>(arena.allocate(size, 1));
  char* to = std::ranges::copy(type, text).out;
  *to++ = '[';
  *std::ranges::copy(title, to).out = ']';
  return {text, size};
}

}  // namespace

Resource& Declarations::new_resource(Name type_key, std::string_view title, Scope& scope) {
  Resource& resource = *state_.arena.make<Resource>();
  resource.type_key = type_key;
  resource.type = known_types_.shown_type(type_key);
  resource.title = title;
  resource.reference_text = made_reference(state_.arena, resource.type.text(), title);
  resource.scope = &scope;
  resource.source = state_.scope_of(scope).source;
  return resource;
}

void Declarations::initialize(Resource& resource, std::span<const ResourceParameter> parameters,
                              Origin origin) {
  if (resource.native != nullptr) {
    resource.kind = ResourceKind::kCompilableType;
  } else if (resource.type_key == class_key()) {
    resource.definition = resource.is_main
                              ? &state_.definitions.main()
                              : state_.definitions.find_class(data_name(downcase(resource.title)));
  } else if (resource.type_key == node_key()) {
    resource.definition = state_.definitions.find_node(resource.title);
  } else if (resource.native == nullptr && resource.definition == nullptr) {
    resource.native = known_types_.find(resource.type_key, resource.place);
    if (resource.native == nullptr)
      resource.definition = state_.definitions.find_define(resource.type_key);
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
    attributes_.set_parameter(resource, parameter, origin);
  }
  add_name_tag(state_.arena, resource.tags, resource.type_key);
  if (!resource.is_main && resource.title_value.is_undef()) {
    add_tag(state_.arena, resource.tags, resource.title);
  }
  attributes_.add_defaults_to(resource);
}

// --- declaring ----------------------------------------------------------------------------------

void Declarations::add_resource(Scope& scope, Resource& resource) {
  static const Name kStage("stage");
  resources_.push_back(&resource);
  by_type_[resource.type_key].push_back(&resource);
  if (resource.native == nullptr) unevaluated_.push_back(&resource);
  state_.catalog.add(resource);
  const bool is_class = resource.type_key == class_key();
  if (!is_class && resource.value_of(kStage).is_truthy()) {
    fail(Issue::kStageOfResource, {resource.reference()});
  }
  if (is_class || resource.type_key == kStage) return;
  if (Resource* container = state_.scope_of(scope).resource) {
    state_.catalog.add_containment(*container, resource);
  }
}

void Declarations::remove_resource(Resource& resource) {
  state_.catalog.remove(resource);
  std::erase(resources_, &resource);
  std::erase(unevaluated_, &resource);
  std::erase(by_type_[resource.type_key], &resource);
  resource.is_evaluated = true;  // evaluate_definitions() may have it in its own list
}

// Adds the parent of a class with its first child; the tags of classes and nodes are added to the
// catalog's tags.
void Declarations::prepare_declaration(Scope& scope, Resource& resource) {
  if (resource.definition == nullptr) return;
  if (resource.definition->parent_name &&
      state_.catalog.find_class(resource.definition->parent_name) == nullptr) {
    Definition& parent = *state_.definitions.parent_of(*resource.definition);
    state_.recorder.class_request(parent, Provenance::Request::Kind::kInherits,
                                  resource.definition->place, scope);
    ensure_class(scope, parent);
  }
  if (resource.type_key == class_key() || resource.type_key == node_key()) {
    state_.catalog.merge_tags(resource.tags);
  }
}

Resource& Declarations::ensure_declared(Scope& scope, Definition& definition,
                                        std::span<const ResourceParameter> parameters,
                                        bool with_parameters) {
  static thread_local Nesting nesting;
  const NestingGuard guard(nesting, "a class");
  const Name type_key = definition.is_node() ? node_key() : class_key();
  if (!with_parameters) {
    if (Resource* existing = state_.catalog.find(type_key, definition.name.text()))
      return *existing;
  }
  const std::string_view title = definition.is_node()
                                     ? definition.name.text()
                                     : state_.arena.copy(class_title(definition.name.text()));
  Resource& resource = new_resource(type_key, title, scope);
  resource.source = &definition;
  resource.definition = &definition;
  initialize(resource, parameters, Origin::kClassifier);
  prepare_declaration(scope, resource);
  add_resource(scope, resource);
  return resource;
}

Resource& Declarations::ensure_class(Scope& scope, Definition& definition) {
  return ensure_declared(scope, definition, {}, false);
}

std::vector<Resource*> Declarations::declare_classes(Scope& scope,
                                                     std::span<Definition* const> classes,
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
    for (Resource* resource : added) bodies_.evaluate_resource(*resource);
  }
  included.insert(included.end(), added.begin(), added.end());
  return included;
}

namespace {

// The title's text, for a title that is not a string.
std::string title_text(Value title) {
  std::string text = reference_text(title);
  if (text.empty()) append_ruby_to_s(text, title);
  return text;
}

// Returns whether the type is written as ::name, which only defines may be.
bool is_absolute(const Place& place) {
  const auto* resource =
      place.expression != nullptr ? place.expression->try_as<ResourceExpression>() : nullptr;
  const auto* name = resource != nullptr ? resource->type_name->try_as<QualifiedName>() : nullptr;
  return name != nullptr && name->name.text().starts_with("::");
}

}  // namespace

Value Declarations::create_resources(Scope& scope, const ResourceRequest& request) {
  const bool is_class = request.type_name == class_key();
  const NativeType* native = nullptr;
  Definition* define = nullptr;
  if (!is_class) {
    native = known_types_.find(request.type_name, request.place);
    if (native == nullptr) define = state_.definitions.find_define(request.type_name);
    if (native != nullptr && is_absolute(request.place)) {
      fail(Issue::kUnknownDeclaredType, {fmt::format("::{}", request.type_name.text())});
    }
    if (native == nullptr && define == nullptr) {
      known_types_.fail_unknown_resource_type(request.type_name, request.place,
                                              is_absolute(request.place) ? "::" : "");
    }
  }
  const ResourceParameterList parameters =
      attributes_.parameters_from(request.parameters, state_.scope_of(scope).source);
  ArrayBuilder references(state_.arena, request.titles.size());
  for (const Value title_value : request.titles) {
    if (title_value.is_undef()) known_types_.fail_untitled(request.type_name, native, define);
    const bool is_text = title_value.is_string();
    std::string_view title =
        is_text ? title_value.as_string() : state_.arena.copy(title_text(title_value));
    if (is_class) {
      const std::string written(title);
      if (title.starts_with("::")) title.remove_prefix(2);
      const std::string class_name = downcase(title);
      title = state_.arena.copy(class_title(class_name));
      if (state_.definitions.find_class(data_name(downcase(title))) == nullptr) {
        fail_unknown(Issue::kUnknownDeclaredClass, {written}, class_name,
                     state_.definitions.class_names());
      }
    }
    const ResourceName name = native == nullptr
                                  ? ResourceName{request.type_name, title}
                                  : known_types_.native_resource_name(request.type_name, title);
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
      state_.recorder.class_request(*definition, Provenance::Request::Kind::kDeclaration,
                                    request.place, scope);
      try {
        declare_classes(scope, {&definition, 1}, true);
      } catch (const EvaluationError& error) {
        throw_with_step(error, request.place, "declared here");
      }
    }
    // For a class, too, the value is a Resource type with the title as in the catalog.
    references.push(
        Value::type(types::resource(state_.arena, resource.type.text(), resource.title)));
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

Value Declarations::include_classes(Scope& scope, CatalogHost::ClassCall kind,
                                    std::span<const Name> names, const Place& place) {
  std::vector<Definition*> classes;
  ArrayBuilder references(state_.arena, names.size());
  for (const Name name : names) {
    Definition* definition = state_.definitions.find_class(name);
    if (definition == nullptr) {
      fail_unknown(Issue::kUnknownClass,
                   {fmt::format("::{}", name.text()), std::string(state_.node.name)}, name.text(),
                   state_.definitions.class_names());
    }
    classes.push_back(definition);
    state_.recorder.class_request(*definition, request_kind(kind), place, scope);
    references.push(Value::type(types::class_type(state_.arena, name.text())));
  }
  const std::vector<Resource*> included = [&] {
    try {
      return declare_classes(scope, classes, true);
    } catch (const EvaluationError& error) {
      throw_with_step(error, place, "included here");
    }
  }();
  Resource* const container = state_.scope_of(scope).resource;
  if (kind == CatalogHost::ClassCall::kContain) {
    for (Resource* resource : included) {
      if (!state_.catalog.is_contained(*container, *resource)) {
        state_.catalog.add_containment(*container, *resource);
      }
    }
  } else if (kind == CatalogHost::ClassCall::kRequire) {
    static const Name kRequire("require");
    for (const Definition* definition : classes) {
      ArrayBuilder required(state_.arena);
      const Value before = container->value_of(kRequire);
      if (before.is_array()) {
        required.push_all(before.as_array());
      } else if (!before.is_undef()) {
        required.push(before);
      }
      required.push(Value::type(types::class_type(state_.arena, definition->name.text())));
      attributes_.set_value(*container, kRequire, required.finish(), Origin::kRequire, place);
    }
  }
  return references.finish();
}

// --- lazy ones ----------------------------------------------------------------------------------

bool Declarations::evaluate_definitions() {
  std::vector<Resource*> ready, waiting;
  for (Resource* resource : unevaluated_) {
    if (resource->is_evaluated) continue;
    (resource->is_virtual ? waiting : ready).push_back(resource);
  }
  unevaluated_.clear();
  for (size_t i = 0; i < ready.size(); ++i) {
    if (ready[i]->is_evaluated) continue;
    try {
      bodies_.evaluate_resource(*ready[i]);
    } catch (const EvaluationError& error) {
      fail_evaluating(*ready[i], error);
    }
  }
  // Waiting ones were declared before the newest ones.
  unevaluated_.insert(unevaluated_.begin(), waiting.begin(), waiting.end());
  return !ready.empty();
}

void Declarations::fail_evaluating(const Resource& resource, const EvaluationError& error) {
  if (error.kind() == ErrorKind::kSyntax) throw error;
  const bool has_place = error.diagnostic().primary.file != nullptr;
  const bool is_evaluation = error.kind() == ErrorKind::kEvaluation && has_place;
  Range range = resource.place.range();
  range.is_whole_line = true;
  throw EvaluationError(
      make_diagnostic(Issue::kResourceStatementError, std::move(range),
                      {is_evaluation ? "Evaluation Error: " : ""}, error.diagnostic()),
      ErrorKind::kEvaluation);
}

}  // namespace bunraku
