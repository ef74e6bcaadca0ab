#include "conversion/object_construction.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "values/conversion_error.h"
#include "values/object.h"

namespace bunraku {
namespace {

using Parameters = std::vector<const ObjectMember*>;

// Returns the type without parameters.
const ObjectType& plain(const ObjectType& type) {
  return type.base != nullptr ? *type.base : type;
}

size_t needed_count(const Parameters& parameters) {
  auto has_value = [](const ObjectMember* parameter) { return parameter->has_value; };
  auto first = std::ranges::find_if(parameters, has_value);
  return static_cast<size_t>(first - parameters.begin());
}

bool holds_attributes_of_its_own(const ObjectType& type) {
  return std::ranges::any_of(type.members, is_given);
}

// Returns the type whose constructor creates instances: a type without attributes of its own
// inherits it.
const ObjectType& constructing_type(const ObjectType& type) {
  const ObjectType* at = &type;
  while (const ObjectType* ancestor = ancestor_with_members(*at)) {
    if (holds_attributes_of_its_own(*at)) break;
    at = ancestor;
  }
  return *at;
}

// Fills an instance, constructor by constructor. Each passes the attributes that its type did not
// declare itself to its ancestor's constructor by position; where the type overrides an attribute
// of the ancestor, the ancestor's later arguments therefore move up.
class Construction {
 public:
  Construction(Arena& arena, const ObjectType& type)
      : arena_(arena), held_(attributes_of(arena, type)), values_(held_.size()) {}

  void run(const ObjectType& type, std::span<const Value> arguments) {
    const ObjectType& constructing = constructing_type(type);
    Parameters parameters = attributes_by_position(arena_, constructing);
    assert_count(parameters, arguments.size());
    std::vector<Value> given(arguments.begin(), arguments.end());
    while (given.size() < parameters.size()) given.push_back(parameters[given.size()]->value);
    std::vector<Value> inherited;
    for (size_t i = 0; i < parameters.size(); ++i) {
      if (object_type_of(parameters[i]->owner) != &constructing) inherited.push_back(given[i]);
    }
    if (const ObjectType* ancestor = ancestor_with_members(constructing)) run(*ancestor, inherited);
    for (size_t i = 0; i < parameters.size(); ++i) {
      if (object_type_of(parameters[i]->owner) == &constructing) hold(*parameters[i], given[i]);
    }
  }

  std::span<const Value> values() { return arena_.copy(std::span<const Value>(values_)); }

 private:
  static void assert_count(const Parameters& parameters, size_t given) {
    const size_t needed = needed_count(parameters);
    if (given >= needed && given <= parameters.size()) return;
    std::string expected = std::to_string(needed);
    if (parameters.size() > needed) expected += ".." + std::to_string(parameters.size());
    fail_conversion(
        Issue::kWrongArgumentCount,
        {fmt::format("wrong number of arguments (given {}, expected {})", given, expected)});
  }

  void hold(const ObjectMember& attribute, Value value) {
    for (size_t i = 0; i < held_.size(); ++i) {
      if (held_[i]->name == attribute.name) values_[i] = value;
    }
  }

  Arena& arena_;
  std::span<const ObjectMember* const> held_;
  std::vector<Value> values_;
};

}  // namespace

std::vector<const ObjectMember*> attributes_by_position(Arena& arena, const ObjectType& type) {
  Parameters parameters;
  for (const bool optional : {false, true}) {
    for (const ObjectMember* attribute : attributes_of(arena, type)) {
      if (attribute->kind == AttributeKind::kDerived) continue;
      if (attribute->has_value == optional) parameters.push_back(attribute);
    }
  }
  return parameters;
}

std::vector<const ObjectMember*> constructor_parameters(Arena& arena, const ObjectType& type) {
  Parameters parameters = attributes_by_position(arena, type);
  const ObjectType& declared = plain(type);
  const ObjectType& constructing = constructing_type(declared);
  if (&constructing == &declared) return parameters;
  Parameters taken = attributes_by_position(arena, constructing);
  if (taken.size() < parameters.size() || needed_count(taken) > parameters.size()) {
    fail_conversion(
        Issue::kInvalidObjectType,
        {fmt::format("Initializer for class  does not match the attributes of {}", type.name)});
  }
  taken.resize(parameters.size());
  Parameters ordered;
  for (const ObjectMember* parameter : taken) {
    auto same_name = [&](const ObjectMember* own) { return own->name == parameter->name; };
    auto found = std::ranges::find_if(parameters, same_name);
    if (found == parameters.end()) {
      fail_conversion(
          Issue::kInvalidObjectType,
          {fmt::format("Initializer for class  parameter '{}' does not match any of the the "
                       "attributes of type {}",
                       parameter->name, type.name)});
    }
    ordered.push_back(*found);
  }
  return ordered;
}

Value construct(Arena& arena, const ObjectType& type, std::span<const Value> arguments) {
  Construction construction(arena, type);
  construction.run(plain(type), arguments);
  return Value::object(arena.make<ObjectInstance>(&type, construction.values()));
}

bool is_read_from_ancestor(const ObjectMember& derived) {
  const ObjectType& owner = *object_type_of(derived.owner);
  const ObjectType* ancestor = ancestor_with_members(owner);
  if (ancestor == nullptr || holds_attributes_of_its_own(owner)) return false;
  const ObjectMember* inherited = find_member(*ancestor, derived.name);
  if (inherited == nullptr || inherited->is_function) return false;
  return inherited->kind != AttributeKind::kDerived || is_read_from_ancestor(*inherited);
}

}  // namespace bunraku
