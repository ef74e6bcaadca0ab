// Arrows, and the checks of their targets and of relationship parameters.
#include "catalog/compiler/relationships.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/memory/data_names.h"
#include "base/regex/regex.h"
#include "base/text/utf8.h"
#include "catalog/compiler/collectors.h"
#include "catalog/compiler/errors.h"
#include "catalog/compiler/references.h"
#include "evaluation/overload.h"
#include "types/interpolation.h"
#include "types/ruby_value_text.h"
#include "types/type_text.h"
#include "types/written_reference.h"
#include "values/bounds.h"

namespace bunraku {
namespace {

constexpr int kMostAlternatives = 1000;

const Name& class_key() {
  static const Name name("class");
  return name;
}

[[noreturn]] void fail_without_title(const RelationshipOperand& operand) {
  fail(Issue::kUntitledReference,
       {fmt::format("\"{}\"", reference_text(operand.type_key, operand.title))});
}

}  // namespace

void Relationships::add_operands(Value value, RelationshipOperands& operands, const Place& place) {
  static thread_local Nesting nesting;
  const NestingGuard guard(nesting, "a value");
  if (value.is_array()) {
    for (const Value item : value.as_array()) add_operands(item, operands, place);
    return;
  }
  RelationshipOperand operand;
  operand.collector = collector_of(value);
  if (operand.collector == nullptr) {
    if (!value.is_type()) {
      state_.evaluator.fail(Issue::kIllegalRelationshipOperandType, place, {interpolated(value)});
    }
    const Type* type = value.as_type();
    while (const auto* wrapped = type->try_as<TypeType>()) {
      if (wrapped->contained == nullptr) break;
      type = wrapped->contained;
    }
    if (const auto* class_type = type->try_as<ClassType>()) {
      const std::string_view problem = problem_of_reference(*type);
      if (!problem.empty()) fail(Issue::kUnusableValue, {std::string(problem)});
      operand.type_key = class_key();
      operand.title = class_type->class_name.text();
    } else if (const auto* resource = type->try_as<ResourceType>()) {
      operand.type_key = resource->key;
      if (resource->title != nullptr) operand.title = *resource->title;
      if (operand.type_key == class_key())
        operand.title = state_.arena.copy(downcase(operand.title));
    } else {
      state_.evaluator.fail(Issue::kNotCatalogType, place, {to_text(type)});
    }
  }
  operands.add(operand);
}

namespace {

bool points_left(const Place& arrow) {
  const auto* expression = arrow.expression->try_as<RelationshipExpression>();
  return expression != nullptr &&
         (expression->op == Operator::kAfter || expression->op == Operator::kSubscribe);
}

}  // namespace

void Relationships::relate(Value source, Value target, ArrowKind kind, const Place& place) {
  RelationshipOperands sources, targets;
  add_operands(source, sources, place);
  add_operands(target, targets, place);
  for (const RelationshipOperand& from : sources) {
    for (const RelationshipOperand& to : targets) arrows_.push_back({from, to, kind, place});
  }
  // In a chain, a collector that finds nothing is replaced: its left neighbour is related to its
  // right one.
  const RelationshipOperands& right = points_left(place) ? sources : targets;
  const RelationshipOperands& left = points_left(place) ? targets : sources;
  if (right.size() == 1 && right.front().collector != nullptr) {
    right.front().collector->empty_alternative.assign(left.begin(), left.end());
  }
}

std::vector<Relationships::End> Relationships::targets_of(const RelationshipOperand& operand) {
  if (operand.collector == nullptr) return {{operand}};
  std::vector<End> all;
  all.reserve(operand.collector->collected.size());
  for (Resource* resource : operand.collector->collected) {
    const bool is_main = resource->is_main && resource->is_class();
    all.push_back(
        {{nullptr, resource->type_key, resource->title, is_main}, is_main ? nullptr : resource});
  }
  return all;
}

std::vector<Relationships::End> Relationships::sources_of(const RelationshipOperand& operand,
                                                          int depth) {
  if (operand.collector == nullptr) return {{operand}};
  if (!operand.collector->collected.empty()) return targets_of(operand);
  const std::vector<RelationshipOperand>& alternative = operand.collector->empty_alternative;
  if (alternative.size() == 1 && alternative[0].collector != nullptr && depth < kMostAlternatives) {
    return sources_of(alternative[0], depth + 1);
  }
  std::vector<End> all;
  for (const RelationshipOperand& other : alternative) all.push_back({other});
  return all;
}

template <typename Visitor>
void Relationships::each_relationship(Visitor visit) {
  // NOLINTBEGIN(misc-const-correctness): some visitors change the ends.
  for (const Relationship& relationship : arrows_) {
    std::vector<End> targets = targets_of(relationship.target);
    for (End& source : sources_of(relationship.source, 0)) {
      for (End& target : targets) visit(source, target, relationship);
    }
  }
  // NOLINTEND(misc-const-correctness)
}

void Relationships::evaluate_relationships() {
  // The limit of relationships. Arrows between sets multiply: 3,000 resources before 3,000 others
  // exceed it.
  constexpr uint32_t kMostRelationships = 1 << 21;
  uint32_t count = 0;
  each_relationship([&](End& source, End& target, const Relationship& arrow) {
    if (++count > kMostRelationships) {
      fail_too_large("the set of relationships", kMostRelationships);
    }
    add_relationship(source, target, arrow);
  });
}

std::vector<ArrowRelationship> Relationships::arrow_relationships() {
  std::vector<ArrowRelationship> all;
  each_relationship([&all](const End& source, const End& target, const Relationship& arrow) {
    const auto text = [](const RelationshipOperand& operand) {
      return reference_text(operand.type_key, operand.title);
    };
    all.push_back({text(source.operand), text(target.operand), arrow.kind});
  });
  return all;
}

Resource* Relationships::find(End& end) const {
  if (end.resource == nullptr) {
    end.resource = state_.catalog.find(end.operand.type_key, end.operand.title);
  }
  return end.resource;
}

namespace {

// The reference reports no place here; this label shows the arrow.
[[noreturn]] void fail_unknown_end(std::vector<std::string> arguments, const Place& arrow) {
  Diagnostic diagnostic = make_diagnostic(Issue::kUnknownRelationshipEnd, {}, std::move(arguments));
  diagnostic.labels.push_back({arrow.range(), "related here"});
  throw EvaluationError(std::move(diagnostic));
}

}  // namespace

void Relationships::add_relationship(End& source, End& target, const Relationship& arrow) {
  static const Name kBefore("before"), kNotify("notify");
  const auto text = [](const RelationshipOperand& operand) {
    if (operand.is_main) return std::string("Class[main]");
    return reference_text(operand.type_key, operand.title);
  };
  // The replacement of a collector that finds nothing is reported as a type.
  const auto source_text = [&] {
    const bool is_type =
        arrow.source.collector != nullptr && arrow.source.collector->collected.empty();
    const auto& [collector, type_key, title, is_main] = source.operand;
    if (!is_type) return text(source.operand);
    if (type_key == class_key()) return fmt::format("Class[{}]", title);
    return fmt::format("{}['{}']", capitalized_segments(type_key.text()), title);
  };
  if (source.operand.title.empty()) fail_without_title(source.operand);
  Resource* from = find(source);
  if (from == nullptr) {
    fail_unknown_end({source_text(), "for relationship on", text(target.operand)}, arrow.place);
  }
  if (target.operand.title.empty()) fail_without_title(target.operand);
  const Resource* to = find(target);
  if (to == nullptr) {
    fail_unknown_end({text(target.operand), "for relationship from", source_text()}, arrow.place);
  }
  if (target.text.empty()) target.text = text_of_target(target.operand, *to);
  append_to_relationship(*from, arrow.kind == ArrowKind::kBefore ? kBefore : kNotify, target.text,
                         arrow.place);
}

std::string_view Relationships::text_of_target(const RelationshipOperand& operand,
                                               const Resource& resource) {
  if (operand.is_main) return "Class[main]";
  // A class is found by its name in any case. A resource whose type is called component is shown as
  // a class.
  const bool is_title = operand.type_key == resource.type_key &&
                        catalog_type_key(operand.type_key) == operand.type_key &&
                        !resource.is_main &&
                        (operand.type_key == class_key() || operand.title == resource.title);
  const std::string_view text =
      is_title ? resource.reference_text
               : state_.arena.copy(reference_text(operand.type_key, operand.title));
  named_targets_[text.data()] = {text.size(), &resource};
  return text;
}

// An array that has grown once grows in place while there is capacity; no other array uses that
// capacity.
Value Relationships::appended(Value current, Value item) {
  const std::span<const Value> before = current.is_array()   ? current.as_array()
                                        : current.is_undef() ? std::span<const Value>()
                                                             : std::span<const Value>(&current, 1);
  const auto room = grown_arrays_.find(before.data());
  if (room != grown_arrays_.end() && before.size() < room->second.capacity) {
    room->second.items[before.size()] = item;
    return Value::array({room->second.items, before.size() + 1});
  }
  const size_t capacity = 2 * before.size() + 2;
  Value* items = state_.arena.make_array<Value>(capacity);
  std::ranges::copy(before, items);
  items[before.size()] = item;
  grown_arrays_[items] = {items, capacity};
  return Value::array({items, before.size() + 1});
}

// An array that several resources were declared with grows for all of them.
void Relationships::append_to_relationship(Resource& resource, Name name,
                                           std::string_view reference, const Place& place) {
  Value current = resource.value_of(name);
  const Value* key = nullptr;
  if (current.is_array()) {
    key = current.as_array().data();
    if (const auto found = extended_arrays_.find(key); found != extended_arrays_.end()) {
      current = found->second;
    }
  }
  const Value extended = appended(current, Value::string(reference));
  if (key != nullptr) {
    extended_arrays_[key] = extended;
    state_.recorder.change(resource, {name, extended, nullptr, place}, Origin::kArrow);
  } else {
    attributes_.set_value(resource, name, extended, Origin::kArrow, place);
  }
}

Value Relationships::extended(Value value) const {
  if (!value.is_array()) return value;
  const auto found = extended_arrays_.find(value.as_array().data());
  return found == extended_arrays_.end() ? value : found->second;
}

std::vector<Dependency> Relationships::check_relationship_targets() {
  static const Name kBefore("before"), kNotify("notify");
  std::vector<Dependency> dependencies;
  for (const Resource* resource : state_.catalog.resources()) {
    if (resource->is_virtual) continue;
    for (const ResourceParameter& parameter : resource->parameters) {
      if (!is_relationship_metaparameter(parameter.name)) continue;
      const bool is_before = parameter.name == kBefore || parameter.name == kNotify;
      const bool was_sensitive = resource->is_sensitive(parameter.name);
      Nesting nesting;
      const auto check = [&](const auto& self, Value value) -> void {
        const NestingGuard guard(nesting, "a value");
        if (value.is_array()) {
          for (const Value item : value.as_array()) self(self, item);
        } else if (!value.is_undef()) {
          const Resource& target = relationship_target(parameter, value, was_sensitive);
          if (target.is_virtual) return;
          dependencies.push_back(is_before ? Dependency{resource->number, target.number}
                                           : Dependency{target.number, resource->number});
        }
      };
      check(check, extended(parameter.value));
    }
  }
  return dependencies;
}

const Resource& Relationships::relationship_target(const ResourceParameter& parameter, Value value,
                                                   bool was_sensitive) {
  if (!value.is_string()) return find_target(parameter, value, was_sensitive);
  const std::string_view text = value.as_string();
  const auto known = named_targets_.find(text.data());
  if (known != named_targets_.end() && known->second.size == text.size()) {
    return *known->second.resource;
  }
  const Resource& target = find_target(parameter, value, was_sensitive);
  named_targets_[text.data()] = {text.size(), &target};
  return target;
}

// A value from within a Sensitive one is not taken as a reference; it is looked up by its text.
const Resource& Relationships::find_target(const ResourceParameter& parameter, Value value,
                                           bool was_sensitive) {
  Resource* found = nullptr;
  std::string text;
  const auto* const reference =
      !was_sensitive && value.is_type() ? value.as_type()->try_as<ResourceType>() : nullptr;
  if (reference != nullptr && reference->title != nullptr && !reference->title->empty()) {
    found = state_.catalog.find(reference->key, *reference->title);
  } else {
    text = was_sensitive ? interpolated(value) : ruby_reference_text(value);
    const WrittenReference written = parse_reference(text);
    if (written.type.empty()) {
      fail_at(Issue::kUntitledReference, {ruby_inspect(Value::string(text))}, parameter.place);
    }
    if (!is_valid_tag(written.type)) {
      fail_at(Issue::kInvalidTag, {downcase(written.type)}, parameter.place);
    }
    found = state_.catalog.find(data_name(downcase(written.type)), written.title);
  }
  if (found == nullptr) {
    fail_at(Issue::kUnknownRelationshipEnd,
            {text.empty() ? reference_text(value) : text, "in parameter",
             std::string(parameter.name.text())},
            parameter.place);
  }
  return *found;
}

}  // namespace bunraku
