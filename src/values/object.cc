#include "values/object.h"

#include <algorithm>
#include <vector>

#include "values/foreign_object.h"

namespace bunraku {
namespace {

// The maximum number of ancestors in declarations.
constexpr int kMaxAncestors = 1000;

// The attributes that instances store, in their order: an override takes the place of the
// ancestor's attribute, and one by a constant removes it.
std::vector<const ObjectMember*> held_attributes(const ObjectType& type) {
  std::vector<const ObjectMember*> held;
  for (const ObjectType* ancestor : lineage_of(type)) {
    for (const ObjectMember& member : ancestor->members) {
      if (member.is_function) continue;
      auto inherited = std::ranges::find_if(
          held, [&](const ObjectMember* other) { return other->name == member.name; });
      if (inherited != held.end()) {
        *inherited = &member;
      } else {
        held.push_back(&member);
      }
    }
  }
  std::erase_if(
      held, [](const ObjectMember* member) { return member->kind == AttributeKind::kConstant; });
  return held;
}

// The names of the compared attributes: those in each ancestor's `equality`, or else its own.
std::vector<std::string_view> compared_names(const ObjectType& type) {
  std::vector<std::string_view> names;
  for (const ObjectType* ancestor : lineage_of(type)) {
    if (ancestor->equality_given) {
      names.insert(names.end(), ancestor->equality.begin(), ancestor->equality.end());
      continue;
    }
    for (const ObjectMember& member : ancestor->members) {
      if (is_given(member)) names.push_back(member.name);
    }
  }
  return names;
}

bool includes_type(const ObjectType& type) {
  std::vector<const ObjectType*> line = lineage_of(type);
  return std::ranges::any_of(
      line, [](const ObjectType* ancestor) { return ancestor->equality_include_type; });
}

}  // namespace

const ObjectType* object_type_of(const Type* type) {
  if (type == nullptr) return nullptr;
  const auto* object = resolve_alias(type)->try_as<ObjectType>();
  return object != nullptr && object->base != nullptr ? object->base : object;
}

const ObjectType* ancestor_with_members(const ObjectType& type) {
  if (type.parent == nullptr) return nullptr;
  const auto* parent = resolve_alias(type.parent)->try_as<ObjectType>();
  return parent == nullptr || parent->base != nullptr ? nullptr : parent;
}

std::vector<const ObjectType*> lineage_of(const ObjectType& type) {
  std::vector<const ObjectType*> line;
  for (const ObjectType* at = &type; at != nullptr && line.size() < kMaxAncestors;
       at = ancestor_with_members(*at)) {
    line.push_back(at);
  }
  std::ranges::reverse(line);
  return line;
}

std::span<const ObjectMember* const> attributes_of(Arena& arena, const ObjectType& type) {
  const ObjectType& plain = type.base != nullptr ? *type.base : type;
  std::vector<const ObjectMember*> held = held_attributes(plain);
  return arena.copy(std::span<const ObjectMember* const>(held));
}

const ObjectMember* find_member(const ObjectType& type, std::string_view name) {
  const ObjectType* at = type.base != nullptr ? type.base : &type;
  for (int i = 0; at != nullptr && i < kMaxAncestors; ++i) {
    for (const ObjectMember& member : at->members) {
      if (member.name == name) return &member;
    }
    at = ancestor_with_members(*at);
  }
  return nullptr;
}

int attribute_index(const ObjectType& type, std::string_view name) {
  std::vector<const ObjectMember*> held = held_attributes(type);
  for (size_t i = 0; i < held.size(); ++i) {
    if (held[i]->name == name) return static_cast<int>(i);
  }
  return -1;
}

bool is_given(const ObjectMember& member) {
  return !member.is_function && member.kind != AttributeKind::kConstant &&
         member.kind != AttributeKind::kDerived;
}

const Value* find_attribute(const ObjectInstance& object, std::string_view name) {
  const ObjectType* type = object_type_of(object.type);
  if (type == nullptr) return nullptr;
  const ObjectMember* member = find_member(*type, name);
  if (member == nullptr || member->is_function) return nullptr;
  if (member->kind == AttributeKind::kConstant) return &member->value;
  const int index = attribute_index(*type, name);
  if (index < 0 || static_cast<size_t>(index) >= object.attributes.size()) return nullptr;
  return &object.attributes[static_cast<size_t>(index)];
}

std::vector<const ObjectMember*> type_parameters_of(const ObjectType& type) {
  std::vector<const ObjectMember*> parameters;
  for (const ObjectType* ancestor : lineage_of(type.base != nullptr ? *type.base : type)) {
    for (const ObjectMember& parameter : ancestor->type_parameters) {
      auto inherited = std::ranges::find_if(
          parameters, [&](const auto* other) { return other->name == parameter.name; });
      if (inherited != parameters.end()) {
        *inherited = &parameter;
      } else {
        parameters.push_back(&parameter);
      }
    }
  }
  return parameters;
}

std::string_view type_parameter_name(const ObjectType& type, size_t index) {
  std::vector<const ObjectMember*> parameters = type_parameters_of(type);
  return index < parameters.size() ? parameters[index]->name : std::string_view();
}

namespace {

// Ruby returns an object as another instance each time, so the numbers are compared.
bool is_same_foreign(const ObjectInstance& a, const ObjectInstance& b) {
  const ForeignObject* mine = as_foreign(a);
  const ForeignObject* theirs = as_foreign(b);
  return mine != nullptr && theirs != nullptr && mine->number == theirs->number &&
         mine->process == theirs->process;
}

}  // namespace

bool same_object(const ObjectInstance& a, const ObjectInstance& b) {
  if (&a == &b) return true;
  const ObjectType* type = object_type_of(a.type);
  const ObjectType* other = object_type_of(b.type);
  if (type == nullptr || other == nullptr) return is_same_foreign(a, b);
  const bool needs_same_type = includes_type(*type);
  if (type != other && needs_same_type) return false;
  const std::vector<std::string_view> names = compared_names(*type);
  for (const std::string_view name : names) {
    const Value* mine = find_attribute(a, name);
    const Value* theirs = find_attribute(b, name);
    if (mine == nullptr || theirs == nullptr || !identical(*mine, *theirs)) return false;
  }
  return needs_same_type || !names.empty();
}

uint32_t hash_of_object(const ObjectInstance& object) {
  const ObjectType* type = object_type_of(object.type);
  if (type == nullptr || !includes_type(*type)) return 0x0b1ec7;
  return static_cast<uint32_t>((reinterpret_cast<uintptr_t>(type) * 0x9e3779b97f4a7c15ull) >> 32);
}

std::vector<Value> compared_values(const ObjectInstance& object) {
  std::vector<Value> values;
  const ObjectType* type = object_type_of(object.type);
  if (type == nullptr || !includes_type(*type)) return values;
  for (const std::string_view name : compared_names(*type)) {
    if (const Value* value = find_attribute(object, name)) values.push_back(*value);
  }
  return values;
}

}  // namespace bunraku
