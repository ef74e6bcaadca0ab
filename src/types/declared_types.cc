// The declarations `type Name = ...`, and their resolution on first use.

#include <string>
#include <vector>

#include "types/built_in_types.h"
#include "types/interpretation.h"
#include "types/object_init.h"
#include "types/relations.h"
#include "types/type_error.h"
#include "types/type_text.h"
#include "types/type_traversal.h"

namespace bunraku {
namespace {

TypeAliasType& changeable(const TypeAliasType& alias) {
  return const_cast<TypeAliasType&>(alias);
}

void pass_over(const Type*) {}

// Returns whether the type contains more than aliases and variants of each other.
bool holds_real_type(const Type* type) {
  bool found = false;
  auto look = [&found](const Type* part) {
    const auto* alias = part->try_as<TypeAliasType>();
    found |= alias != nullptr ? alias->is_closed : part->kind != TypeKind::kVariant;
  };
  TypeTraversal(look).walk(type);
  return found;
}

bool reaches_itself(const Type* type) {
  TypeTraversal traversal(pass_over);
  traversal.walk(type);
  return traversal.came_back_to(type);
}

// Removes options of a Variant that only lead back to the alias itself.
void drop_empty_recursion(Arena& arena, TypeAliasType& alias) {
  const auto* variant = alias.resolved->try_as<VariantType>();
  if (variant == nullptr) return;
  std::vector<const Type*> real;
  for (const Type* option : variant->types) {
    if (!same_type(option, &alias) && holds_real_type(option)) real.push_back(option);
  }
  if (real.size() == variant->types.size()) return;
  alias.resolved = real.size() == 1 ? real[0] : types::variant(arena, real);
  alias.is_recursive = reaches_itself(&alias);
}

// Determines again whether an alias reaches itself, when it was resolved before another one.
void settle_again(Arena& arena, TypeAliasType& alias) {
  const bool is_open =
      alias.resolved == nullptr || alias.resolved->kind == TypeKind::kTypeReference;
  if (alias.is_recursive || is_open) return;
  alias.is_recursive = true;  // for the traversal
  alias.is_recursive = reaches_itself(&alias);
  if (alias.is_recursive) drop_empty_recursion(arena, alias);
}

// Returns whether only `alias` itself may be unresolved, or be reached again, within the type.
bool is_closed(const TypeAliasType& alias) {
  bool closed = true;
  auto look = [&](const Type* part) {
    const auto* other = part->try_as<TypeAliasType>();
    const bool is_built_in = other != nullptr && other->program == nullptr;
    if (other != nullptr && other != &alias && !is_built_in && !other->is_closed) closed = false;
    if (part->kind == TypeKind::kObject || part->kind == TypeKind::kTypeSet) closed = false;
  };
  TypeTraversal(look).walk(&alias);
  return closed;
}

void settle_recursion(Arena& arena, TypeAliasType& alias) {
  alias.is_recursive = reaches_itself(&alias);
  if (!alias.is_recursive) {
    alias.is_closed = is_closed(alias);
    return;
  }
  auto settle = [&arena](const Type* part) {
    const auto* other = part->try_as<TypeAliasType>();
    if (other != nullptr && other->program != nullptr) settle_again(arena, changeable(*other));
  };
  TypeTraversal(settle).walk(&alias);
  drop_empty_recursion(arena, alias);
}

void resolve_alias_declaration(Arena& arena, TypeAliasType& alias, TypeResolver* resolver) {
  if (alias.resolved != nullptr || alias.program == nullptr) return;
  // Preliminary values during the resolution.
  alias.resolved = types::find_builtin("typereference");
  alias.is_recursive = true;
  try {
    const Type* type = TypeInterpreter(arena, *alias.program, resolver).type(*alias.expression);
    alias.resolved = normalize(arena, type);
    if (!holds_real_type(&alias)) {
      fail_with(Issue::kInvalidTypeSet,
                {"Type alias '" + std::string(alias.name) + "' cannot be resolved to a real type"});
    }
    settle_recursion(arena, alias);
  } catch (...) {
    alias.resolved = nullptr;
    throw;
  }
}

void resolve_object_declaration(Arena& arena, ObjectType& type, TypeResolver* resolver) {
  if (type.declaration.expression == nullptr) return;
  const Declaration declaration = type.declaration;
  type.declaration = {};
  TypeInterpreter interpreter(arena, *declaration.program, resolver);
  type.is_recursive = true;  // preliminary, during the definition
  define_object(arena, type, interpreter.value(*declaration.expression));
  type.is_recursive = reaches_itself(&type);
}

// --- type sets ----------------------------------------------------------------------------------

// In a type set, its own types are found first.
class TypeSetResolver : public TypeResolver {
 public:
  TypeSetResolver(const TypeSetType& set, TypeResolver* outer) : set_(set), outer_(outer) {}
  const Type* find_type(std::string_view name) override {
    if (const Type* found = find_in_type_set(set_, name)) return found;
    const std::string prefix = std::string(set_.name) + "::";
    if (name.starts_with(prefix)) {
      if (const Type* found = find_in_type_set(set_, name.substr(prefix.size()))) return found;
    }
    return outer_ == nullptr ? nullptr : outer_->find_type(name);
  }

 private:
  const TypeSetType& set_;
  TypeResolver* outer_;
};

const Expression* single_key(const AccessExpression& access) {
  return access.keys.empty() ? nullptr : access.keys[0];
}

// Declares the type on the right of `=` as `name`.
const Type* declare_named(Arena& arena, const Program& program, std::string_view name,
                          const Expression& expression) {
  const auto* access = expression.try_as<AccessExpression>();
  const auto* reference = access == nullptr ? nullptr : access->left->try_as<QualifiedReference>();
  const std::string_view maker =
      reference == nullptr ? std::string_view() : reference->cased.text();
  if (expression.kind == NodeKind::kLiteralHash || maker == "Object") {
    auto* object = arena.make<ObjectType>(types::kObject->as<ObjectType>());
    object->name = arena.copy(name);
    object->declaration = {&program, maker.empty() ? &expression : single_key(*access)};
    return object;
  }
  if (maker == "TypeSet") {
    auto* set = arena.make<TypeSetType>(types::kTypeSet->as<TypeSetType>());
    set->name = arena.copy(name);
    set->declaration = {&program, single_key(*access)};
    return set;
  }
  TypeAliasType alias{{{TypeKind::kTypeAlias}}, arena.copy(name), nullptr, &expression, false};
  alias.program = &program;
  return arena.make<TypeAliasType>(alias);
}

class TypeSetDeclaration {
 public:
  TypeSetDeclaration(Arena& arena, TypeSetType& set, TypeResolver* resolver)
      : arena_(arena), set_(set), resolver_(resolver) {}

  void resolve() {
    if (set_.declaration.expression == nullptr) return;
    const Declaration declaration = set_.declaration;
    set_.declaration = {};
    program_ = declaration.program;
    const auto* literal = declaration.expression->try_as<LiteralHash>();
    if (literal == nullptr)
      fail_with(Issue::kInvalidTypeSet, {"TypeSet initializer must be a hash"});
    const Value definition = interpret(*literal);
    set_.types = arena_.copy(std::span<const HashEntry>(types_));
    TypeSetResolver within(set_, resolver_);
    define_type_set(arena_, set_, definition, resolver_, kRuntimeAuthority);
    for (const HashEntry& entry : set_.types) {
      resolve_declared_type(arena_, entry.value.as_type(), &within);
    }
  }

 private:
  // The types are only declared here, because they may refer to each other.
  Value interpret(const LiteralHash& literal) {
    TypeInterpreter interpreter(arena_, *program_, resolver_);
    HashBuilder result(arena_, literal.entries.size());
    for (const KeyedEntry* entry : literal.entries) {
      const Value key = interpreter.value(*entry->key);
      const bool is_types = key.is_string() && key.as_string() == "types";
      const bool is_references = key.is_string() && key.as_string() == "references";
      const auto* nested = entry->value->try_as<LiteralHash>();
      if (nested == nullptr || (!is_types && !is_references)) {
        result.set(key, interpreter.value(*entry->value));
        continue;
      }
      HashBuilder named(arena_, nested->entries.size());
      for (const KeyedEntry* item : nested->entries) {
        const Value name = name_in(*item->key, interpreter);
        if (is_types && name.is_string()) {
          const Type* type = declare(name.as_string(), *item->value);
          types_.push_back({name, Value::type(type)});
          named.set(name, Value::type(type));
        } else {
          named.set(name, interpreter.value(*item->value));
        }
      }
      result.set(key, named.finish());
    }
    return result.finish();
  }

  static Value name_in(const Expression& key, TypeInterpreter& interpreter) {
    if (const auto* reference = key.try_as<QualifiedReference>()) {
      return Value::string(reference->cased.text());
    }
    return interpreter.value(key);
  }

  const Type* declare(std::string_view simple_name, const Expression& expression) {
    const std::string name = std::string(set_.name) + "::" + std::string(simple_name);
    const auto* defaults = expression.try_as<ResourceDefaultsExpression>();
    if (defaults == nullptr) return declare_named(arena_, *program_, name, expression);
    return declare_named(arena_, *program_, name, *as_literal_hash(*defaults));
  }

  // `Parent { attributes => ... }` is equivalent to a hash with a parent.
  const Expression* as_literal_hash(const ResourceDefaultsExpression& defaults) {
    std::vector<const KeyedEntry*> entries;
    auto add = [&](std::string_view key, const Expression* value) {
      auto* name = arena_.make<LiteralString>();
      name->kind = NodeKind::kLiteralString;
      name->location = value->location;
      name->value = key;
      auto* entry = arena_.make<KeyedEntry>();
      entry->kind = NodeKind::kKeyedEntry;
      entry->location = value->location;
      entry->key = name;
      entry->value = value;
      entries.push_back(entry);
    };
    const auto* parent = defaults.type_reference->try_as<QualifiedReference>();
    const std::string_view parent_name = parent == nullptr ? "Object" : parent->cased.text();
    if (parent_name != "Object" && parent_name != "TypeSet") add("parent", parent);
    for (const Expression* operation : defaults.operations) {
      const auto* attribute = operation->try_as<AttributeOperation>();
      if (attribute != nullptr) add(attribute->name.text(), attribute->value);
    }
    auto* literal = arena_.make<LiteralHash>();
    literal->kind = NodeKind::kLiteralHash;
    literal->location = defaults.location;
    literal->entries = arena_.copy(std::span<const KeyedEntry* const>(entries));
    return literal;
  }

  Arena& arena_;
  TypeSetType& set_;
  TypeResolver* resolver_;
  const Program* program_ = nullptr;
  std::vector<HashEntry> types_;
};

}  // namespace

const Type* declare_type(Arena& arena, const Program& program, const TypeAlias& declaration) {
  return declare_named(arena, program, declaration.name.text(), *declaration.type_expression);
}

bool is_resolved(const Type* type) {
  switch (type->kind) {
    case TypeKind::kTypeAlias:
      return type->as<TypeAliasType>().resolved != nullptr;
    case TypeKind::kObject:
      return type->as<ObjectType>().declaration.expression == nullptr;
    case TypeKind::kTypeSet:
      return type->as<TypeSetType>().declaration.expression == nullptr;
    default:
      return true;
  }
}

void resolve_declared_type(Arena& arena, const Type* type, TypeResolver* resolver) {
  if (is_resolved(type)) return;
  switch (type->kind) {
    case TypeKind::kTypeAlias:
      return resolve_alias_declaration(arena, changeable(type->as<TypeAliasType>()), resolver);
    case TypeKind::kObject:
      return resolve_object_declaration(arena, const_cast<ObjectType&>(type->as<ObjectType>()),
                                        resolver);
    case TypeKind::kTypeSet:
      return TypeSetDeclaration(arena, const_cast<TypeSetType&>(type->as<TypeSetType>()), resolver)
          .resolve();
    default:
      return;
  }
}

}  // namespace bunraku
