// Traversal of a type and all types that it contains.
#pragma once

#include <algorithm>
#include <vector>

#include "types/recursion.h"
#include "values/bounds.h"
#include "values/type.h"

namespace bunraku {

// Calls `step` for each type that `type` contains directly, in the reference's order.
template <typename Step>
void for_each_part(const Type& type, Step step) {
  auto add = [&step](const Type* part) {
    if (part != nullptr) step(part);
  };
  auto add_all = [&add](std::span<const Type* const> parts) {
    for (const Type* part : parts) add(part);
  };
  switch (type.kind) {
    case TypeKind::kArray:
      return add(type.as<ArrayType>().element);
    case TypeKind::kHash:
      return add_all({{type.as<HashType>().key, type.as<HashType>().value}});
    case TypeKind::kTuple:
      return add_all(type.as<TupleType>().types);
    case TypeKind::kVariant:
      return add_all(type.as<VariantType>().types);
    case TypeKind::kStruct:
      for (const StructElement& element : type.as<StructType>().elements) {
        add(element.key);
        add(element.value);
      }
      return;
    case TypeKind::kOptional:
      return add(type.as<OptionalType>().contained);
    case TypeKind::kNotUndef:
      return add(type.as<NotUndefType>().contained);
    case TypeKind::kIterable:
      return add(type.as<IterableType>().contained);
    case TypeKind::kIterator:
      return add(type.as<IteratorType>().contained);
    case TypeKind::kType:
      return add(type.as<TypeType>().contained);
    case TypeKind::kSensitive:
      return add(type.as<SensitiveType>().contained);
    case TypeKind::kInit:
      return add(type.as<InitType>().contained);
    case TypeKind::kCallable: {
      const auto& callable = type.as<CallableType>();
      return add_all({{callable.parameters, callable.block, callable.return_type}});
    }
    case TypeKind::kTypeAlias:
      return add(type.as<TypeAliasType>().resolved);
    case TypeKind::kObject: {
      const auto& object = type.as<ObjectType>();
      add(object.parent);
      for (const ObjectMember& parameter : object.type_parameters) add(parameter.type);
      for (const ObjectMember& member : object.members) add(member.type);
      return;
    }
    default:
      return;
  }
}

// Visits a type and all below it, except below a closed alias. Only types that reach themselves are
// guarded, by the rules of RecursionGuard, which may end a traversal early: the reference's results
// for recursive types depend on that.
template <typename Visit>
class TypeTraversal {
 public:
  explicit TypeTraversal(Visit visit) : visit_(visit) {}

  void walk(const Type* type) {
    // An unguarded type that was reached again has been visited already.
    if (std::find(active_.begin(), active_.end(), type) != active_.end() && !is_guarded(*type))
      return;
    NestingGuard nesting(nesting_, "a type");
    if (!is_guarded(*type)) return walk_into(type);
    guard_.with_this(type, [&](bool) {
      if (!guard_.repeats_this()) walk_into(type);
      return true;
    });
  }

  bool came_back_to(const Type* type) const { return guard_.came_back_to(type); }

 private:
  static bool is_guarded(const Type& type) {
    if (const auto* alias = type.try_as<TypeAliasType>()) return alias->is_recursive;
    const auto* object = type.try_as<ObjectType>();
    return object != nullptr && object->is_recursive;
  }

  static bool is_closed(const Type& type) {
    const auto* alias = type.try_as<TypeAliasType>();
    return alias != nullptr && alias->is_closed;
  }

  void walk_into(const Type* type) {
    if (is_closed(*type)) return visit_(type);
    bool may_recur = type->kind == TypeKind::kTypeAlias || type->kind == TypeKind::kObject;
    if (may_recur) active_.push_back(type);
    visit_(type);
    for_each_part(*type, [this](const Type* part) { walk(part); });
    if (may_recur) active_.pop_back();
  }

  Visit visit_;
  RecursionGuard guard_;
  std::vector<const Type*> active_;
  Nesting nesting_;
};

}  // namespace bunraku
