// Collectors: collecting, realizing and overriding of resources by code.
#include "catalog/compiler/collectors.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/memory/data_names.h"
#include "base/system/reads.h"
#include "base/text/ruby_text.h"
#include "base/text/utf8.h"
#include "catalog/compiler/errors.h"
#include "catalog/compiler/references.h"
#include "evaluation/overload.h"
#include "types/ruby_value_text.h"
#include "types/type_text.h"

namespace bunraku {

namespace {

// The value that represents a collector where code passes it to an arrow.
struct CollectorValue : ObjectInstance {
  Collector* collector;
};

const ObjectType* collector_type() {
  static const ObjectType* const type = [] {
    auto* made = new ObjectType();
    made->kind = TypeKind::kObject;
    made->name = "Collector";
    return made;
  }();
  return type;
}

}  // namespace

Collector* collector_of(Value value) {
  if (!value.is_object() || value.as_object().type != collector_type()) return nullptr;
  return static_cast<const CollectorValue&>(value.as_object()).collector;
}

namespace {

void report_query(const Collector& collector) {
  if (ReadObserver* observer = ReadObserver::current()) observer->query(query_text(collector));
}

// Returns whether the type is written as ::Name, which only defines may be.
bool is_absolute(const CollectExpression& expression) {
  const auto* reference = expression.type_expression->try_as<QualifiedReference>();
  return reference != nullptr && reference->cased.text().starts_with("::");
}

}  // namespace

Value Collectors::collect(Scope& scope, const CollectExpression& expression, Name type_name,
                          std::span<const EvaluatedParameter> overrides, const Place& place) {
  static const Name kClass("class");
  if (type_name == kClass) fail(Issue::kIllegalCollection, {"Classes cannot be collected"});
  const std::string_view shown_prefix = is_absolute(expression) ? "::" : "";
  const bool is_native = known_types_.find(type_name, place) != nullptr;
  if (is_native ? !shown_prefix.empty() : !known_types_.is_resource_type(type_name, place)) {
    fail(Issue::kIllegalCollection,
         {fmt::format("Resource type {}{} doesn't exist", shown_prefix, type_name.text())});
  }
  auto collector = std::make_unique<Collector>();
  collector->scope = &scope;
  collector->type_key = catalog_type_key(type_name);
  collector->place = place;
  const ResourceParameterList made =
      attributes_.parameters_from(overrides, state_.scope_of(scope).source);
  collector->overrides.assign(made.begin(), made.end());
  const Expression* query;
  if (const auto* exported = expression.query->try_as<ExportedQuery>()) {
    collector->kind = Collector::Kind::kExported;
    query = exported->expression;
  } else {
    collector->kind = Collector::Kind::kCatalog;
    query = expression.query->as<VirtualQuery>().expression;
  }
  if (query != nullptr && query->kind != NodeKind::kNop) {
    collector->query = make_query(*query, scope);
  }
  report_query(*collector);
  auto* value = state_.arena.make<CollectorValue>();
  value->type = collector_type();
  value->collector = collector.get();
  all_.push_back(std::move(collector));
  return Value::object(value);
}

namespace {

// Checks the kind of a query's operand; messages name other kinds as in the reference's model.
void check_operand(const Expression& operand) {
  switch (operand.kind) {
    case NodeKind::kAccessExpression:
    case NodeKind::kVariableExpression:
    case NodeKind::kLiteralBoolean:
    case NodeKind::kLiteralString:
    case NodeKind::kConcatenatedString:
    case NodeKind::kLiteralInteger:
    case NodeKind::kLiteralFloat:
    case NodeKind::kLiteralUndef:
    case NodeKind::kQualifiedName:
    case NodeKind::kParenthesizedExpression:
      return;
    default:
      fail(Issue::kIllegalCollection,
           {fmt::format("Cannot transform object of class Puppet::Pops::Model::{}",
                        name_of(operand.kind))});
  }
}

}  // namespace

const Query* Collectors::make_query(const Expression& expression, Scope& scope) {
  Query* query = state_.arena.make<Query>();
  switch (expression.kind) {
    case NodeKind::kParenthesizedExpression:
      return make_query(*expression.as<ParenthesizedExpression>().expression, scope);
    case NodeKind::kAndExpression:
      query->kind = Query::Kind::kAnd;
      query->left = make_query(*expression.as<AndExpression>().left, scope);
      query->right = make_query(*expression.as<AndExpression>().right, scope);
      return query;
    case NodeKind::kOrExpression:
      query->kind = Query::Kind::kOr;
      query->left = make_query(*expression.as<OrExpression>().left, scope);
      query->right = make_query(*expression.as<OrExpression>().right, scope);
      return query;
    case NodeKind::kComparisonExpression:
      break;
    default:
      fail(Issue::kIllegalCollection,
           {fmt::format("Cannot transform object of class Puppet::Pops::Model::{}",
                        name_of(expression.kind))});
  }
  const auto& comparison = expression.as<ComparisonExpression>();
  check_operand(*comparison.left);
  check_operand(*comparison.right);
  const Value attribute = state_.evaluator.evaluate(*comparison.left, scope);
  std::string_view problem;
  query->value =
      given_value(state_.arena, state_.evaluator.evaluate(*comparison.right, scope), problem);
  if (!problem.empty()) fail(Issue::kUnusableValue, {std::string(problem)});
  query->attribute = data_name(attribute.is_string() ? attribute.as_string() : std::string_view());
  query->kind = comparison.op == Operator::kEqual ? Query::Kind::kEqual : Query::Kind::kNotEqual;
  static const Name kTag("tag");
  if (query->attribute != kTag || query->kind != Query::Kind::kEqual) return query;
  query->kind = Query::Kind::kTag;
  std::vector<Name> tags;
  const auto add_one = [&](Value tag) {
    if (tag.is_numeric()) fail(Issue::kIllegalCollection, {"Cannot transform a number to a tag"});
    tags.push_back(data_name(downcase(reference_text(tag))));
  };
  if (query->value.is_array()) {
    for (const Value tag : query->value.as_array()) add_one(tag);
  } else {
    add_one(query->value);
  }
  query->tags = state_.arena.copy(std::span<const Name>(tags));
  return query;
}

namespace {

// Reads an argument of realize() as a type and a title. A value that is no reference is read as the
// text of one: the text before the first bracket is the type, that up to the last bracket the
// title, with quotes. A text without a title is reported by the look-up.
Collector::Reference wanted_reference(Arena& arena, Value value) {
  if (value.is_type()) {
    const Type* type = value.as_type();
    const auto* resource = type->try_as<ResourceType>();
    if (resource != nullptr && resource->title != nullptr) {
      return {resource->key, *resource->title, reference_text(value)};
    }
    if (const auto* class_type = type->try_as<ClassType>()) {
      return {Name("class"), class_type->class_name.text(), reference_text(value)};
    }
  }
  std::string text;
  if (value.is_type()) {
    text = reference_text(value);
  } else {
    append_ruby_to_s(text, value);
  }
  const size_t bracket = text.find('[');
  if (bracket == text.npos || bracket == 0 || bracket + 2 >= text.size() || !text.ends_with(']')) {
    return {Name(), {}, text};
  }
  const std::string type = text.substr(0, bracket);
  const std::string_view title = arena.copy(text.substr(bracket + 1, text.size() - bracket - 2));
  return {data_name(downcase(type)), title,
          fmt::format("{}[{}]", capitalized_segments(type), title)};
}

}  // namespace

void Collectors::realize(Scope& scope, std::span<const Value> references, const Place& place) {
  auto collector = std::make_unique<Collector>();
  collector->kind = Collector::Kind::kFixedSet;
  collector->scope = &scope;
  collector->place = place;
  for (const Value reference : references) {
    collector->wanted.push_back(wanted_reference(state_.arena, reference));
  }
  report_query(*collector);
  all_.push_back(std::move(collector));
}

void Collectors::find_matches(Collector& collector, std::vector<Resource*>& found) {
  switch (collector.kind) {
    case Collector::Kind::kExported:
      return find_exported(collector, found);
    case Collector::Kind::kCatalog:
      for (Resource* resource : declarations_.of_type(collector.type_key)) {
        if (collector.query == nullptr || matches(*collector.query, *resource)) {
          found.push_back(resource);
        }
      }
      return;
    case Collector::Kind::kFixedSet:
      std::erase_if(collector.wanted, [&](const Collector::Reference& reference) {
        if (reference.title.empty()) {
          std::string shown;
          append_ruby_inspect(shown, std::string_view(reference.text));
          fail(Issue::kIllegalCollection,
               {fmt::format("Puppet::Parser::Compiler failed with error ArgumentError: No title "
                            "provided and {} is not a valid resource reference",
                            shown)});
        }
        Resource* resource = state_.catalog.find(reference.type_key, reference.title);
        if (resource != nullptr) found.push_back(resource);
        return resource != nullptr;
      });
      collector.is_done = collector.wanted.empty();
      return;
  }
}

bool Collectors::evaluate_collector(Collector& collector) {
  std::vector<Resource*> found;
  find_matches(collector, found);
  for (Resource* resource : found) {
    if (resource->is_virtual) state_.recorder.realization(*resource, collector);
    resource->is_virtual = false;
  }
  std::erase_if(
      found, [&](const Resource* resource) { return collector.collected_set.contains(resource); });
  if (found.empty()) return false;
  if (!collector.overrides.empty()) {
    Definition* source = state_.scope_of(*collector.scope).source;
    source->overrides_freely = true;
    for (Resource* resource : found) {
      Override change{resource->type_key, resource->title,     source,
                      collector.place,    collector.overrides, Origin::kCollector};
      // Defaults of the collector's scope act like its own overrides.
      std::vector<ResourceParameter> defaults;
      attributes_.collect_defaults(*collector.scope, resource->type_key, defaults);
      for (const ResourceParameter& parameter : defaults) {
        const bool is_given = std::ranges::any_of(
            change.parameters,
            [&](const ResourceParameter& given) { return given.name == parameter.name; });
        if (!is_given) change.parameters.push_back(parameter);
      }
      overrides_.add_override(std::move(change));
    }
  }
  for (Resource* resource : found) {
    if (collector.collected_set.insert(resource).second) collector.collected.push_back(resource);
  }
  return true;
}

bool Collectors::evaluate_collectors() {
  bool found_something = false;
  // Collectors that are added meanwhile are left for the next round.
  const size_t count = all_.size();
  for (size_t i = 0; i < count; ++i) {
    if (!all_[i]->is_done && evaluate_collector(*all_[i])) found_something = true;
  }
  return found_something;
}

}  // namespace bunraku
