// Evaluation of classes, defines and nodes.
#include "catalog/compiler/bodies.h"

#include <fmt/format.h>

#include "base/regex/regex.h"
#include "base/system/limits.h"
#include "base/system/profile.h"
#include "base/text/utf8.h"
#include "catalog/compiler/errors.h"
#include "catalog/compiler/parameter_mistakes.h"
#include "catalog/compiler/references.h"
#include "evaluation/deferred.h"
#include "evaluation/overload.h"
#include "types/mismatch.h"
#include "types/relations.h"
#include "types/ruby_value_text.h"

namespace bunraku {
namespace {

const Name& name_name() {
  static const Name name("name");
  return name;
}
const Name& title_name() {
  static const Name name("title");
  return name;
}

Scope::Kind scope_kind(const Definition& definition) {
  switch (definition.kind) {
    case Definition::Kind::kClass:
      return Scope::Kind::kClass;
    case Definition::Kind::kDefine:
      return Scope::Kind::kDefine;
    case Definition::Kind::kNode:
      return Scope::Kind::kNode;
  }
  return Scope::Kind::kDefine;
}

}  // namespace

void Bodies::evaluate_resource(Resource& resource) {
  check_limits();
  if (resource.is_evaluated) return;
  resource.is_evaluated = true;
  if (resource.native != nullptr) {
    fail(Issue::kNotEvaluable,
         {fmt::format("Cannot evaluate a builtin type ({})", resource.type.text())});
  }
  if (resource.definition == nullptr) {
    fail_at(Issue::kNotEvaluable, {fmt::format("Cannot find definition {}", resource.type.text())},
            resource.place);
  }
  finish_evaluation(resource);
  evaluate_code(resource);
}

// Creates the scope: that of the parent class is between its child's and the one of the
// declaration.
Scope& Bodies::scope_for(Resource& resource) {
  if (resource.is_main) return *resource.scope;
  Definition& definition = *resource.definition;
  Scope* parent = resource.scope;
  Scope* inherited = nullptr;
  if (Definition* parent_class = state_.definitions.parent_of(definition)) {
    if (Resource* parent_resource = state_.catalog.find_class(parent_class->name)) {
      evaluate_resource(*parent_resource);
      inherited = parent_class->scope;
      // The parent class is being evaluated, and has declared this one.
      if (inherited == nullptr) {
        fail(Issue::kUnfinishedParentClass, {std::string(parent_class->name.text())});
      }
      parent = inherited;
    }
  }
  Scope& scope = *::new (state_.arena.allocate(sizeof(Scope), alignof(Scope)))
                     Scope(state_.arena, scope_kind(definition), parent);
  scope.set_inherited(inherited);
  scope.class_name = definition.is_class() ? definition.name : Name();
  scope.module_name = definition.module_name.text();
  scope.resource_text = resource.reference_text;
  CatalogScope& own = state_.scope_of(scope);
  own.resource = &resource;
  own.source = &definition;
  return scope;
}

void Bodies::evaluate_code(Resource& resource) {
  Definition& definition = *resource.definition;
  const ProfileSpan span(WorkKind::kResource,
                         definition.name.empty() ? "main" : definition.name.text());
  Scope& scope = scope_for(resource);
  if (!definition.is_define() && !definition.name.empty()) {
    state_.catalog.add_class(definition.name.text());
  }
  set_parameters(resource, scope);
  if (definition.is_class()) add_to_stage(resource);
  if (resource.is_main) {
    for (const Definition::Body& body : definition.bodies) {
      const ProfileSpan file_span(WorkKind::kFile, body.program->path());
      state_.evaluator.evaluate_program(*body.program, scope);
    }
    return;
  }
  if (definition.bodies.empty() || definition.bodies[0].expression == nullptr) return;
  const FrameGuard guard(scope);
  const ProfileSpan file_span(WorkKind::kFile, definition.bodies[0].program->path());
  if (definition.pattern != nullptr) {
    const std::string_view subject = state_.arena.copy(downcase(state_.node.name));
    Captures captures;
    if (definition.pattern->search(subject, 0, captures)) {
      std::string_view* groups = state_.arena.make_array<std::string_view>(captures.size());
      for (size_t i = 0; i < captures.size(); ++i) {
        groups[i] = captures.matched(i) ? captures.text(subject, i) : std::string_view();
      }
      scope.set_match(subject, {groups, captures.size()});
    }
  }
  state_.evaluator.evaluate_body(*definition.bodies[0].program, *definition.bodies[0].expression,
                                 scope);
}

// --- parameters ---------------------------------------------------------------------------------

void Bodies::set_parameters(Resource& resource, Scope& scope) {
  static const Name kModuleName("module_name"), kCallerModuleName("caller_module_name");
  Definition& definition = *resource.definition;
  if (definition.module_name) {
    scope.set(kModuleName, Value::string(definition.module_name.text()));
  }
  if (scope.parent() != nullptr) {
    const CatalogScope* parent = scope.parent()->catalog;
    if (parent != nullptr && parent->source != nullptr && parent->source->module_name) {
      scope.set(kCallerModuleName, Value::string(parent->source->module_name.text()));
    }
  }
  if (definition.is_class()) look_up_parameters(resource, scope);
  const bool is_class = definition.is_class();
  const auto shown = [&](std::string_view text) {
    return Value::string(is_class ? state_.arena.copy(downcase(text)) : text);
  };
  const Value title =
      resource.title_value.is_undef() ? shown(resource.title) : resource.title_value;
  scope.set(title_name(), title);
  const Value name = resource.value_of(name_name());
  const Value shown_name = name.is_string() ? shown(name.as_string()) : name;
  scope.set(name_name(), name.is_undef() ? title : shown_name);
  if (!definition.is_define()) definition.scope = &scope;
  if (definition.parameters.empty() && resource.parameters.empty()) return;

  const std::vector<VariableTable::Binding> values = parameter_values(resource, scope);
  check_parameters(resource, definition, values);
  for (const VariableTable::Binding& binding : values) {
    if (is_reserved(binding.name) || scope.is_bound(binding.name)) {
      // The place is that of a class's definition, or of a define's declaration.
      fail_at(is_reserved(binding.name) ? Issue::kReservedVariable : Issue::kReassignedVariable,
              {std::string(binding.name.text())}, is_class ? definition.place : resource.place);
    }
    scope.set(binding.name, binding.value);
  }
}

namespace {

// The parameters in the order of the definition, then the metaparameters as they were given: the
// order of the variables in the scope, which templates can see.
std::vector<VariableTable::Binding> in_order_of(const Definition& definition,
                                                std::span<const VariableTable::Binding> bindings) {
  std::vector<const VariableTable::Binding*> declared(definition.parameters.size());
  std::vector<VariableTable::Binding> others;
  for (const VariableTable::Binding& binding : bindings) {
    size_t number = 0;
    if (definition.find_parameter(binding.name, &number) != nullptr) {
      declared[number] = &binding;
    } else {
      others.push_back(binding);
    }
  }
  std::vector<VariableTable::Binding> ordered;
  ordered.reserve(bindings.size());
  for (const VariableTable::Binding* binding : declared) {
    if (binding != nullptr) ordered.push_back(*binding);
  }
  ordered.insert(ordered.end(), others.begin(), others.end());
  return ordered;
}

}  // namespace

std::vector<VariableTable::Binding> Bodies::parameter_values(Resource& resource, Scope& scope) {
  const Definition& definition = *resource.definition;
  ParameterScope parameters(scope, resource.reference_text, definition.parameters);
  const auto is_left_to_default = [&](const ResourceParameter& given) {
    if (!given.value.is_undef()) return false;
    const Parameter* declared = definition.find_parameter(given.name);
    return declared != nullptr && declared->value != nullptr;
  };
  for (const ResourceParameter& given : resource.parameters) {
    if (given.name == name_name() || given.name == title_name()) continue;
    if (!is_left_to_default(given)) parameters.set(given.name, given.value);
  }
  for (const Parameter* declared : definition.parameters) {
    if (declared->value == nullptr || !resource.value_of(declared->name).is_undef()) continue;
    std::string_view problem;
    const Value value =
        given_value(state_.arena, default_value(definition, parameters, *declared), problem);
    if (!problem.empty()) fail(Issue::kUnusableValue, {std::string(problem)});
    attributes_.set_value(resource, declared->name, value, Origin::kParameterDefault,
                          {definition.place.program, declared->value});
    parameters.set(declared->name, value);
  }
  return in_order_of(definition, parameters.bindings());
}

// A failed look-up has no place; here it gets the definition's.
Value Bodies::default_value(const Definition& definition, ParameterScope& parameters,
                            const Parameter& declared) {
  try {
    return parameters.evaluate_default(state_.evaluator, *definition.place.program, declared);
  } catch (EvaluationError& error) {
    Diagnostic& diagnostic = error.diagnostic();
    if (error.kind() == ErrorKind::kLookup && diagnostic.primary.file == nullptr) {
      diagnostic.primary = definition.place.range();
      diagnostic.primary.is_whole_line = true;
    }
    throw;
  }
}

void Bodies::look_up_parameters(Resource& resource, Scope& scope) {
  DataHost* const data = state_.evaluator.host().data;
  if (data == nullptr) return;
  std::string key(resource.definition->name.text());
  key += "::";
  const size_t prefix = key.size();
  for (const Parameter* declared : resource.definition->parameters) {
    if (!resource.value_of(declared->name).is_undef()) continue;
    key.resize(prefix);
    key += declared->name.text();
    const std::optional<Value> bound = data->lookup_parameter(scope, key);
    if (!bound || (bound->is_undef() && declared->value != nullptr)) continue;
    attributes_.set_value(resource, declared->name, *bound, Origin::kData);
  }
}

void Bodies::check_parameters(Resource& resource, const Definition& definition,
                              std::span<const VariableTable::Binding> values) {
  ParameterMistakes mistakes(resource, definition);
  DeferredFunctions deferred(state_.evaluator, resource.place);
  for (const VariableTable::Binding& binding : values) {
    if (definition.find_parameter(binding.name) == nullptr && !is_metaparameter(binding.name) &&
        binding.name != name_name()) {
      mistakes.unknown(binding.name);
    }
  }
  const auto name_at = [&](size_t i) { return values[i].name; };
  NameIndex index;
  index.extend(state_.arena, values.size(), name_at);
  for (size_t i = 0; i < definition.parameters.size(); ++i) {
    const Parameter& declared = *definition.parameters[i];
    const size_t at = index.find(declared.name, values.size(), name_at);
    const Value* value = at == NameIndex::kNowhere ? nullptr : &values[at].value;
    if (value == nullptr) {
      if (declared.value == nullptr) mistakes.missing(declared);
      continue;
    }
    const Type* type = definition.parameter_types.empty() ? nullptr : definition.parameter_types[i];
    if (is_deferred(*value)) {
      const Type* returned = deferred.return_type(value->as_object());
      if (type != nullptr && returned != nullptr && !may_fit(type, returned)) {
        mistakes.mismatch(declared, type, returned);
      }
    } else if (type != nullptr && !is_instance(type, *value)) {
      mistakes.mismatch(declared, type, *value);
    }
  }
  for (const VariableTable::Binding& binding : values) {
    if (is_deferred(binding.value) && is_metaparameter(binding.name)) {
      deferred.return_type(binding.value.as_object());
    }
  }
  mistakes.fail(state_.evaluator.host().data);
}

// --- stages and tags ----------------------------------------------------------------------------

void Bodies::add_to_stage(Resource& resource) {
  static const Name kStage("stage");
  Value stage = resource.value_of(kStage);
  if (stage.is_undef() && resource.scope->catalog->resource != nullptr) {
    stage = resource.scope->catalog->resource->value_of(kStage);
  }
  std::string name = stage.is_undef() ? "main" : "";
  if (stage.is_type()) {
    name = reference_text(stage);
  } else if (!stage.is_undef()) {
    append_ruby_to_s(name, stage);
  }
  Resource* found = state_.catalog.find(kStage, name);
  if (found == nullptr) {
    fail(Issue::kUnknownStage, {std::string(name), resource.reference()});
  }
  if (resource.value_of(kStage).is_undef() && !found->is_main) {
    attributes_.set_value(resource, kStage, Value::string(found->title), Origin::kContainer);
  }
  state_.catalog.add_containment(*found, resource);
}

void Bodies::finish_evaluation(Resource& resource) {
  if (resource.is_evaluation_finished) return;
  resource.is_evaluation_finished = true;
  const CatalogScope* around = resource.scope->catalog;
  if (around != nullptr && around->resource != nullptr && around->resource != &resource) {
    resource.tags.merge(state_.arena, around->resource->tags);
  }
}

}  // namespace bunraku
