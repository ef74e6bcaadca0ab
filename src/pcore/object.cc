#include "pcore/object.h"

#include <algorithm>
#include <vector>

namespace bunraku {
namespace {

// More ancestors than this cannot be declared.
constexpr int kMaxAncestors = 1000;

// The type's own line of descent, the oldest first.
std::vector<const ObjectType*> lineage(const ObjectType& type) {
  std::vector<const ObjectType*> line;
  for (const ObjectType* at = &type; at != nullptr && line.size() < kMaxAncestors;
       at = ancestor_with_members(*at)) {
    line.push_back(at);
  }
  std::reverse(line.begin(), line.end());
  return line;
}

// The attributes that instances hold, in their order: an override stands in its ancestor's place,
// and one by a constant takes that away.
std::vector<const ObjectMember*> held_attributes(const ObjectType& type) {
  std::vector<const ObjectMember*> held;
  for (const ObjectType* ancestor : lineage(type)) {
    for (const ObjectMember& member : ancestor->members) {
      if (member.is_function) continue;
      auto inherited = std::find_if(held.begin(), held.end(), [&](const ObjectMember* other) {
        return other->name == member.name;
      });
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

bool is_part_of_equality(const ObjectType& type, const ObjectMember& member) {
  const ObjectType* owner = object_type_of(member.owner);
  if (owner == nullptr) owner = &type;
  if (!owner->equality_given) return true;
  return std::find(owner->equality.begin(), owner->equality.end(), member.name) !=
         owner->equality.end();
}

bool includes_type(const ObjectType& type) {
  std::vector<const ObjectType*> line = lineage(type);
  return std::any_of(line.begin(), line.end(),
                     [](const ObjectType* ancestor) { return ancestor->equality_include_type; });
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

const Value* find_attribute(const ObjectInstance& object, std::string_view name) {
  const ObjectType* type = object_type_of(object.type);
  if (type == nullptr) return nullptr;
  const ObjectMember* member = find_member(*type, name);
  if (member == nullptr || member->is_function) return nullptr;
  if (member->kind == AttributeKind::kConstant) return &member->value;
  int index = attribute_index(*type, name);
  if (index < 0 || static_cast<size_t>(index) >= object.attributes.size()) return nullptr;
  return &object.attributes[static_cast<size_t>(index)];
}

std::vector<const ObjectMember*> type_parameters_of(const ObjectType& type) {
  std::vector<const ObjectMember*> parameters;
  for (const ObjectType* ancestor : lineage(type.base != nullptr ? *type.base : type)) {
    for (const ObjectMember& parameter : ancestor->type_parameters) {
      auto inherited = std::find_if(parameters.begin(), parameters.end(), [&](const auto* other) {
        return other->name == parameter.name;
      });
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

bool same_object(const ObjectInstance& a, const ObjectInstance& b) {
  if (&a == &b) return true;
  const ObjectType* type = object_type_of(a.type);
  const ObjectType* other = object_type_of(b.type);
  if (type == nullptr || other == nullptr) return false;
  const bool needs_same_type = includes_type(*type);
  if (type != other && needs_same_type) return false;
  bool is_compared = needs_same_type;
  std::vector<const ObjectMember*> held = held_attributes(*type);
  for (size_t i = 0; i < held.size() && i < a.attributes.size(); ++i) {
    if (!is_part_of_equality(*type, *held[i])) continue;
    is_compared = true;
    const Value* theirs = find_attribute(b, held[i]->name);
    if (theirs == nullptr || !identical(a.attributes[i], *theirs)) return false;
  }
  return is_compared;
}

uint32_t hash_of_object(const ObjectInstance& object) {
  const ObjectType* type = object_type_of(object.type);
  if (type == nullptr || !includes_type(*type)) return 0x0b1ec7;
  return static_cast<uint32_t>((reinterpret_cast<uintptr_t>(type) * 0x9e3779b97f4a7c15ull) >> 32);
}

}  // namespace bunraku
