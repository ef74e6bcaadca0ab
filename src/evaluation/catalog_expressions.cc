// Resources, their defaults and overrides, collectors and relationships: evaluated here and passed
// to the catalog.

#include <algorithm>

#include "base/memory/data_names.h"
#include "base/memory/name_index.h"
#include "base/text/utf8.h"
#include "evaluation/evaluation.h"
#include "evaluation/overload.h"
#include "types/built_in_types.h"
#include "types/relations.h"
#include "values/bounds.h"
#include "values/changed_objects.h"
#include "values/flattened.h"

namespace bunraku {

CatalogHost& Evaluation::catalog_for(const Expression& expression) {
  CatalogHost* catalog = evaluator_.host().catalog;
  if (catalog == nullptr || evaluator_.settings().scripting) {
    fail(Issue::kExpressionNotSupportedWhenScripting, expression,
         {with_upper_case_article(label(expression))});
  }
  return *catalog;
}

namespace {

Name lower_case_name(Name name) {
  const auto is_other = [](char c) { return (c >= 'A' && c <= 'Z') || (c & '\x80') != 0; };
  if (!name.text().starts_with("::") && std::ranges::none_of(name.text(), is_other)) return name;
  std::string text = downcase(name.text());
  if (text.starts_with("::")) text.erase(0, 2);
  return data_name(text);
}

}  // namespace

Name Evaluation::resource_type_name(const ResourceExpression& expression) {
  const Expression& type_name = *expression.type_name;
  if (const auto* name = type_name.try_as<QualifiedName>()) return lower_case_name(name->name);
  const auto* access = type_name.try_as<AccessExpression>();
  const bool is_reference = type_name.kind == NodeKind::kQualifiedReference ||
                            (access && access->left->kind == NodeKind::kQualifiedReference);
  const Value value = evaluate(type_name);
  if (is_reference && value.is_type()) {
    const Type* type = value.as_type();
    if (const auto* class_type = type->try_as<ClassType>()) {
      if (!class_type->class_name) return Name("class");
      fail(Issue::kIllegalResourceType, type_name, {to_text(type)});
    }
    if (const auto* resource = type->try_as<ResourceType>()) {
      if (resource->title != nullptr) {
        fail(Issue::kIllegalResourceType, type_name, {to_text(type)});
      }
      if (resource->type_name) return lower_case_name(resource->type_name);
    }
  }
  fail(Issue::kIllegalResourceType, type_name,
       {to_text(generalize(arena(), infer(arena(), value)))});
}

// --- parameters ----------------------------------------------------------------------------------

Value Evaluation::evaluate_operation(const Expression& operation, EvaluatedParameters& to) {
  auto add = [&](Name name, Value value, bool append) {
    std::string_view problem;
    value = given_value(arena(), value, problem);
    if (!problem.empty()) fail_at(operation, Issue::kUnusableValue, {std::string(problem)});
    // The resources of the expression share one copy, to which arrows add for all of them.
    to.push_back({name, unshared(arena(), value), append, place(operation)});
  };
  if (const auto* attribute = operation.try_as<AttributeOperation>()) {
    Value value = evaluate(*attribute->value);
    if (value.is_control()) return value;
    add(attribute->name, value, attribute->op == Operator::kAddTo);
    return Value::undef();
  }
  const Expression& expression = *operation.as<AttributesOperation>().expression;
  Value hash = evaluate(expression);
  if (hash.is_control()) return hash;
  if (!hash.is_hash()) {
    fail(Issue::kTypeMismatch, expression,
         {"Hash", to_text(generalize(arena(), infer(arena(), hash)))});
  }
  for (const HashEntry& entry : hash.as_hash()) {
    const std::string name =
        entry.key.is_string() ? std::string(entry.key.as_string()) : ruby_text(entry.key);
    add(data_name(name), entry.value, false);
  }
  return Value::undef();
}

// --- resources -----------------------------------------------------------------------------------

namespace {

// Returns the defaults, replaced by the body's own parameters of the same name, then the body's
// other ones.
EvaluatedParameters with_defaults(Arena& arena, const EvaluatedParameters& defaults,
                                  const EvaluatedParameters& own) {
  EvaluatedParameters merged = defaults;
  const auto name_at = [&](size_t i) { return merged[i].name; };
  NameIndex index;
  index.extend(arena, merged.size(), name_at);
  for (const EvaluatedParameter& parameter : own) {
    const size_t found = index.find(parameter.name, merged.size(), name_at);
    if (found != NameIndex::kNowhere) {
      merged[found] = parameter;
    } else {
      merged.push_back(parameter);
      index.extend(arena, merged.size(), name_at);
    }
  }
  return merged;
}

[[noreturn]] void fail_duplicate(const EvaluatedParameter& first, const EvaluatedParameter& second,
                                 const Place& place) {
  Diagnostic diagnostic =
      make_diagnostic(Issue::kDuplicateAttribute, place.range(), {std::string(first.name.text())});
  diagnostic.labels.push_back({first.place.range(), "set here first"});
  diagnostic.labels.push_back({second.place.range(), "set again here"});
  throw EvaluationError(std::move(diagnostic));
}

}  // namespace

struct Evaluation::EvaluatedBody {
  std::span<const Value> titles;
  EvaluatedParameters parameters;
  bool is_default = false;
};

void Evaluation::check_title(Value title, size_t at, const Expression& place) {
  if (title.is_undef()) fail(Issue::kMissingTitleAt, place, {std::to_string(at)});
  if (!title.is_string() && !title.is_default()) {
    fail(Issue::kIllegalTitleTypeAt, place,
         {std::to_string(at), to_text(generalize(arena(), infer(arena(), title)))});
  }
  if (title.is_string() && title.as_string().empty()) {
    fail(Issue::kEmptyStringTitleAt, place, {std::to_string(at)});
  }
}

Value Evaluation::evaluate_titles(const ResourceBody& source, const ResourceExpression& expression,
                                  HashBuilder& seen, EvaluatedBody& body) {
  Value titles = source.title ? evaluate(*source.title) : Value();
  if (titles.is_control()) return titles;
  const Expression& title_place =
      source.title ? *source.title : static_cast<const Expression&>(source);
  if (titles.is_undef()) fail(Issue::kMissingTitle, title_place);
  const std::span<const Value> all = flattened(arena(), {&titles, 1});
  ArrayBuilder kept(arena(), all.size());
  for (size_t at = 0; at < all.size(); ++at) {
    const Value title = all[at];
    check_title(title, at, title_place);
    if (seen.find(title) != nullptr) fail(Issue::kDuplicateTitle, expression, {ruby_text(title)});
    seen.set(title, Value());
    if (title.is_default()) {
      body.is_default = true;
    } else {
      kept.push(title);
    }
  }
  body.titles = kept.finish().as_array();
  return Value::undef();
}

Value Evaluation::evaluate_parameters(const ResourceBody& source,
                                      const ResourceExpression& expression, EvaluatedBody& body) {
  EvaluatedParameters& parameters = body.parameters;
  const auto name_at = [&](size_t at) { return parameters[at].name; };
  NameIndex index;
  parameters.reserve(source.operations.size());
  for (const Expression* operation : source.operations) {
    const size_t before = parameters.size();
    Value control = evaluate_operation(*operation, parameters);
    if (control.is_control()) return control;
    index.extend(arena(), parameters.size(), name_at);
    for (size_t at = before; at < parameters.size(); ++at) {
      const size_t first = index.find(parameters[at].name, parameters.size(), name_at);
      if (first != at) fail_duplicate(parameters[first], parameters[at], place(expression));
    }
  }
  return Value::undef();
}

Value Evaluation::create_resources(CatalogHost& catalog, const ResourceExpression& expression,
                                   Name type_name, std::span<const EvaluatedBody> bodies) {
  const auto defaults = std::ranges::find(bodies, true, &EvaluatedBody::is_default);
  ArrayBuilder references(arena());
  for (auto body = bodies.begin(); body != bodies.end(); ++body) {
    if (body->titles.empty()) continue;
    EvaluatedParameters merged;
    const EvaluatedParameters* parameters = &body->parameters;
    if (defaults != bodies.end() && defaults != body) {
      merged = with_defaults(arena(), defaults->parameters, body->parameters);
      parameters = &merged;
    }
    const Value created = catalog.create_resources(
        scope_, {expression.form, type_name, body->titles, *parameters, place(expression)});
    if (created.is_array()) references.push_all(created.as_array());
  }
  return references.finish();
}

Value Evaluation::evaluate_resource(const ResourceExpression& expression) {
  CatalogHost& catalog = catalog_for(expression);
  const Name type_name = resource_type_name(expression);
  if (expression.form == ResourceForm::kExported && !evaluator_.settings().storeconfigs) {
    evaluator_.report(Issue::kRtNoStoreconfigsExport, Strictness::kWarning, place(expression));
  }
  boost::container::small_vector<EvaluatedBody, 1> bodies(expression.bodies.size());
  HashBuilder seen(arena());
  for (size_t i = 0; i < bodies.size(); ++i) {
    Value control = evaluate_titles(*expression.bodies[i], expression, seen, bodies[i]);
    if (control.is_control()) return control;
    control = evaluate_parameters(*expression.bodies[i], expression, bodies[i]);
    if (control.is_control()) return control;
  }
  return create_resources(catalog, expression, type_name, bodies);
}

Value Evaluation::evaluate_defaults(const ResourceDefaultsExpression& expression) {
  CatalogHost& catalog = catalog_for(expression);
  Value type = evaluate(*expression.type_reference);
  if (type.is_control()) return type;
  const auto* resource = type.is_type() ? type.as_type()->try_as<ResourceType>() : nullptr;
  if (resource == nullptr || !resource->type_name || resource->title != nullptr) {
    fail(Issue::kIllegalResourceType, *expression.type_reference,
         {to_text(generalize(arena(), infer(arena(), type)))});
  }
  EvaluatedParameters parameters;
  for (const Expression* operation : expression.operations) {
    Value control = evaluate_operation(*operation, parameters);
    if (control.is_control()) return control;
  }
  catalog.add_defaults(scope_, lower_case_name(resource->type_name), parameters);
  return type;
}

Value Evaluation::evaluate_override(const ResourceOverrideExpression& expression) {
  CatalogHost& catalog = catalog_for(expression);
  Value resources = evaluate(*expression.resources);
  if (resources.is_control()) return resources;
  EvaluatedParameters parameters;
  for (const Expression* operation : expression.operations) {
    Value control = evaluate_operation(*operation, parameters);
    if (control.is_control()) return control;
  }
  for (const Value reference : flattened(arena(), {&resources, 1})) {
    const auto* resource =
        reference.is_type() ? reference.as_type()->try_as<ResourceType>() : nullptr;
    if (resource == nullptr || resource->key == Name("class")) {
      fail(Issue::kIllegalOverriddenType, expression, {label(reference)});
    }
    catalog.override_resource(scope_, *resource, parameters, place(expression));
  }
  return resources;
}

Value Evaluation::evaluate_collector(const CollectExpression& expression) {
  CatalogHost& catalog = catalog_for(expression);
  const bool is_exported = expression.query->kind == NodeKind::kExportedQuery;
  if (is_exported && !evaluator_.settings().storeconfigs) {
    evaluator_.report(Issue::kRtNoStoreconfigs, Strictness::kWarning, place(expression));
  }
  const auto* reference = expression.type_expression->try_as<QualifiedReference>();
  if (reference == nullptr) {
    // Validation rejects any other type.
    fail_unexpected(*expression.type_expression);
  }
  EvaluatedParameters overrides;
  for (const Expression* operation : expression.operations) {
    Value control = evaluate_operation(*operation, overrides);
    if (control.is_control()) return control;
  }
  return catalog.collect(scope_, expression, lower_case_name(reference->name), overrides,
                         place(expression));
}

// --- relationships -------------------------------------------------------------------------------

namespace {

bool is_catalog_type(const Type* type) {
  const Type* inner = resolve_alias(type);
  if (const auto* of_type = inner->try_as<TypeType>()) {
    return of_type->contained != nullptr && is_assignable(types::kCatalogEntry, of_type->contained);
  }
  return is_assignable(types::kCatalogEntry, inner);
}

bool contains(const std::vector<Value>& values, Value value) {
  return std::ranges::any_of(values, [&](Value other) { return identical(other, value); });
}

}  // namespace

// Adds an operand, with strings converted to the references they spell. Objects are passed on: a
// collector is represented by one, and the catalog rejects others.
void Evaluation::add_operand(Value operand, const RelationshipExpression& expression,
                             std::vector<Value>& to) {
  static thread_local Nesting nesting;
  const NestingGuard guard(nesting, "a value");
  if (operand.is_array()) {
    for (const Value item : operand.as_array()) add_operand(item, expression, to);
    return;
  }
  if (operand.is_string()) {
    operand = Value::type(parse_type(arena(), operand.as_string(), evaluator_.host().types));
  }
  if (operand.is_type()) {
    if (!is_catalog_type(operand.as_type())) {
      fail(Issue::kNotCatalogType, expression, {to_text(operand.as_type())});
    }
  } else if (!operand.is_object()) {
    fail(Issue::kIllegalRelationshipOperandType, expression, {with_article(label(operand))});
  }
  if (!contains(to, operand)) to.push_back(operand);
}

Value Evaluation::evaluate_relationship(const RelationshipExpression& expression) {
  CatalogHost& catalog = catalog_for(expression);
  Value left = evaluate(*expression.left);
  if (left.is_control()) return left;
  Value right = evaluate(*expression.right);
  if (right.is_control()) return right;
  std::vector<Value> operands[2];
  add_operand(left, expression, operands[0]);
  add_operand(right, expression, operands[1]);
  const Value left_set = Value::array(arena().copy(std::span<const Value>(operands[0])));
  const Value right_set = Value::array(arena().copy(std::span<const Value>(operands[1])));
  const bool is_reverse =
      expression.op == Operator::kAfter || expression.op == Operator::kSubscribe;
  const bool is_notify =
      expression.op == Operator::kNotify || expression.op == Operator::kSubscribe;
  catalog.relate(is_reverse ? right_set : left_set, is_reverse ? left_set : right_set,
                 is_notify ? ArrowKind::kNotify : ArrowKind::kBefore, place(expression));
  // In a chain, an empty right side is skipped.
  return operands[1].empty() ? left_set : right_set;
}

}  // namespace bunraku
