// Assignability: whether every value of one type may be used where another type is expected. The
// answers are those of the reference, including odd ones, because code and messages depend on them.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostics/diagnostic.h"
#include "base/text/utf8.h"
#include "types/built_in_types.h"
#include "types/matching.h"
#include "types/recursion.h"
#include "types/relation_parts.h"
#include "types/relations.h"
#include "values/bounds.h"
#include "values/object.h"
#include "values/sem_ver.h"
#include "values/shared_parts.h"
#include "values/type.h"

namespace bunraku {
namespace {

bool is_scalar_data_kind(TypeKind kind) {
  switch (kind) {
    case TypeKind::kScalarData:
    case TypeKind::kNumeric:
    case TypeKind::kInteger:
    case TypeKind::kFloat:
    case TypeKind::kBoolean:
    case TypeKind::kString:
    case TypeKind::kEnum:
    case TypeKind::kPattern:
      return true;
    default:
      return false;
  }
}

bool is_scalar_kind(TypeKind kind) {
  switch (kind) {
    case TypeKind::kScalar:
    case TypeKind::kRegexp:
    case TypeKind::kSemVer:
    case TypeKind::kSemVerRange:
    case TypeKind::kTimespan:
    case TypeKind::kTimestamp:
      return true;
    default:
      return is_scalar_data_kind(kind);
  }
}

bool is_numeric_kind(TypeKind kind) {
  return kind == TypeKind::kNumeric || kind == TypeKind::kInteger || kind == TypeKind::kFloat;
}

bool is_catalog_entry_kind(TypeKind kind) {
  return kind == TypeKind::kCatalogEntry || kind == TypeKind::kClass || kind == TypeKind::kResource;
}

IntegerRange exactly(size_t count) {
  return {static_cast<int64_t>(count), static_cast<int64_t>(count)};
}

// The size of a tuple when compared with arrays and collections: a tuple without types is empty.
IntegerRange counted_size(const TupleType& tuple) {
  return tuple.size_given ? tuple.size : exactly(tuple.types.size());
}

// The lengths of strings that the type accepts.
IntegerRange derived_size(const StringType& type) {
  return type.value != nullptr ? exactly(character_count(*type.value)) : type.size;
}

IntegerRange sizes_of(const EnumType& type) {
  if (type.values.empty()) return kAnySize;
  IntegerRange range{kMaxInteger, 0};
  for (const std::string_view value : type.values) {
    auto size = static_cast<int64_t>(character_count(value));
    range.from = std::min(range.from, size);
    range.to = std::max(range.to, size);
  }
  return range;
}

std::optional<IntegerRange> collection_size(const Type& type) {
  switch (type.kind) {
    case TypeKind::kCollection:
      return type.as<CollectionType>().size;
    case TypeKind::kArray:
      return type.as<ArrayType>().size;
    case TypeKind::kHash:
      return type.as<HashType>().size;
    case TypeKind::kTuple:
      return counted_size(type.as<TupleType>());
    case TypeKind::kStruct:
      return exactly(type.as<StructType>().elements.size());
    default:
      return std::nullopt;
  }
}

const Type* type_at(std::span<const Type* const> types, size_t at) {
  return at < types.size() ? types[at] : types.back();
}

// --- versions -----------------------------------------------------------------------------------

int compare_lower(const SemVer* a, const SemVer* b) {
  if (a == nullptr || b == nullptr) return (a != nullptr) - (b != nullptr);
  return compare(*a, *b);
}
int compare_upper(const SemVer* a, const SemVer* b) {
  if (a == nullptr || b == nullptr) return (a == nullptr) - (b == nullptr);
  return compare(*a, *b);
}

bool is_covered_by(const SemVerInterval& inner, const SemVerInterval& outer) {
  if (compare_lower(outer.min, inner.min) > 0) return false;
  const int upper = compare_upper(outer.max, inner.max);
  return upper > 0 || (upper == 0 && (!outer.exclude_max || inner.exclude_max));
}

bool is_covered_by(const SemVerRange& inner, const SemVerRange& outer) {
  return std::ranges::all_of(inner.alternatives, [&](const SemVerInterval& part) {
    return std::ranges::any_of(outer.alternatives, [&](const SemVerInterval& whole) {
      return is_covered_by(part, whole);
    });
  });
}

bool takes_versions(const SemVerType& to, const SemVerType& from) {
  if (to.ranges.empty()) return true;
  if (from.ranges.empty()) return false;
  return std::ranges::all_of(from.ranges, [&](const SemVerRange* inner) {
    return std::ranges::any_of(
        to.ranges, [&](const SemVerRange* outer) { return is_covered_by(*inner, *outer); });
  });
}

// --- strings ------------------------------------------------------------------------------------

bool string_takes(const StringType& to, const Type& from) {
  if (to.value == nullptr && !is_size_given(to.size)) {
    return from.kind == TypeKind::kString || from.kind == TypeKind::kEnum ||
           from.kind == TypeKind::kPattern;
  }
  if (to.value != nullptr) {
    if (const auto* string = from.try_as<StringType>()) {
      return string->value != nullptr && *string->value == *to.value;
    }
    // The reference checks only the number of values.
    const auto* enumeration = from.try_as<EnumType>();
    return enumeration != nullptr && enumeration->values.size() == 1 &&
           !enumeration->case_insensitive;
  }
  switch (from.kind) {
    case TypeKind::kString:
      return covers_size(to.size, derived_size(from.as<StringType>()));
    case TypeKind::kEnum:
      return covers_size(to.size, sizes_of(from.as<EnumType>()));
    case TypeKind::kPattern:
      return covers_size(to.size, kAnySize);
    default:
      return false;
  }
}

bool enum_takes(const EnumType& to, const Type& from) {
  if (same_type(&to, &from)) return true;
  if (to.values.empty() && (from.kind == TypeKind::kString || from.kind == TypeKind::kEnum ||
                            from.kind == TypeKind::kPattern)) {
    return true;
  }
  if (const auto* string = from.try_as<StringType>()) {
    return string->value != nullptr && enum_contains(to, *string->value);
  }
  const auto* other = from.try_as<EnumType>();
  if (other == nullptr || other->values.empty()) return false;
  if (!to.case_insensitive && other->case_insensitive) return false;
  return std::ranges::all_of(other->values,
                             [&](std::string_view text) { return enum_contains(to, text); });
}

bool pattern_takes(const PatternType& to, const Type& from) {
  if (same_type(&to, &from)) return true;
  switch (from.kind) {
    case TypeKind::kString: {
      const auto& string = from.as<StringType>();
      if (to.patterns.empty()) return true;
      return string.value != nullptr && any_pattern_matches(to, *string.value);
    }
    case TypeKind::kEnum: {
      const auto& values = from.as<EnumType>().values;
      if (to.patterns.empty()) return true;
      return !values.empty() && std::ranges::all_of(values, [&](std::string_view text) {
        return any_pattern_matches(to, text);
      });
    }
    case TypeKind::kPattern:
      return to.patterns.empty();
    default:
      return false;
  }
}

// --- others without contained types -------------------------------------------------------------

bool resource_takes(const ResourceType& to, const ResourceType& from) {
  if (!to.key) return true;
  if (to.key != from.key) return false;
  return to.title == nullptr || (from.title != nullptr && *to.title == *from.title);
}

bool runtime_takes(const RuntimeType& to, const RuntimeType& from) {
  if (!to.runtime.empty() && to.runtime != from.runtime) return false;
  if (to.name.empty()) return true;
  return to.name == from.name && to.is_mapping == from.is_mapping &&
         to.name_replacement == from.name_replacement;
}

bool uri_takes(const UriType& to, const UriType& from) {
  if (!to.parameters.is_hash()) return true;
  for (const HashEntry& wanted : to.parameters.as_hash()) {
    const Value* given =
        from.parameters.is_hash() ? from.parameters.as_hash().find(wanted.key) : nullptr;
    if (given == nullptr) return false;
    const bool both_types = given->is_type() && wanted.value.is_type();
    if (!matches_pattern(*given, wanted.value) &&
        !(both_types && is_assignable(wanted.value.as_type(), given->as_type()))) {
      return false;
    }
  }
  return true;
}

bool object_takes(const ObjectType& to, const Type& from) {
  const auto* object = from.try_as<ObjectType>();
  if (object == nullptr) return false;
  if (to.base != nullptr) {
    return object_takes(*to.base, object->base != nullptr ? *object->base : from) &&
           parameters_match(to, *object);
  }
  if (same_type(&to, types::kObject)) return true;
  constexpr int kMaxAncestors = 1000;
  for (int i = 0; object != nullptr && i < kMaxAncestors; ++i) {
    if (object->base != nullptr) object = object->base;
    if (same_type(&to, object)) return true;
    object = object_type_of(object->parent);
  }
  return false;
}

// --- types that hold others ---------------------------------------------------------------------

class Assignability {
 public:
  bool takes(const Type* to, const Type* from, RecursionGuard* guard) {
    const NestingGuard nesting(nesting_, "a type");
    // Below recursive types the answer depends on the path. For types that contain no others,
    // computing the answer is faster than finding a stored one.
    if (guard != nullptr || !asked_.empty() || is_leaf(*to) || is_leaf(*from)) {
      return decide(to, from, guard);
    }
    const SharedParts<bool>::Pair pair{{to}, {from}};
    if (const bool* known = known_.find(nesting_, pair)) return *known;
    const bool result = decide(to, from, guard);
    known_.remember(nesting_, pair, result);
    return result;
  }

 private:
  bool decide(const Type* to, const Type* from, RecursionGuard* guard) {
    switch (to->kind) {
      case TypeKind::kUnit:
        return true;
      case TypeKind::kTypeAlias:
        return alias_takes(to->as<TypeAliasType>(), from, guard);
      case TypeKind::kVariant:
        return variant_takes(to->as<VariantType>(), from, guard);
      default:
        return takes_any(to, from, guard);
    }
  }

  static bool is_leaf(const Type& type) {
    switch (type.kind) {
      case TypeKind::kInteger:
      case TypeKind::kFloat:
      case TypeKind::kString:
      case TypeKind::kEnum:
      case TypeKind::kBoolean:
      case TypeKind::kUndef:
        return true;
      default:
        return false;
    }
  }

  bool alias_takes(const TypeAliasType& to, const Type* from, RecursionGuard* guard) {
    if (!to.is_recursive) return takes_any(&to, from, guard);
    RecursionGuard fresh;
    if (guard == nullptr) guard = &fresh;
    return guard->with_this(
        &to, [&](bool both_repeat) { return both_repeat || takes_any(&to, from, guard); });
  }

  bool variant_takes(const VariantType& to, const Type* from, RecursionGuard* guard) {
    const auto* variant = from->try_as<VariantType>();
    if (variant == nullptr) {
      if (from->kind == TypeKind::kUndef && to.types.empty()) return false;
      return takes_any(&to, from, guard);
    }
    if (to.types.empty()) return true;
    return !variant->types.empty() && std::ranges::all_of(variant->types, [&](const Type* type) {
      return takes_any(&to, type, guard);
    });
  }

  // Expands `from` where it represents several types.
  bool takes_any(const Type* to, const Type* from, RecursionGuard* guard) {
    switch (from->kind) {
      case TypeKind::kUnit:
        return true;
      case TypeKind::kTypeAlias:
        return takes_alias(to, from->as<TypeAliasType>(), guard);
      case TypeKind::kVariant:
        return takes_variant(to, from->as<VariantType>(), guard);
      case TypeKind::kOptional:
        return takes_optional(to, from->as<OptionalType>());
      case TypeKind::kNotUndef: {
        const Type* contained = from->as<NotUndefType>().contained;
        if (contained != nullptr && !takes(contained, types::kUndef, nullptr)) {
          return takes(to, contained, guard);
        }
        return takes_one(to, *from, guard);
      }
      default:
        return takes_one(to, *from, guard);
    }
  }

  // The reference forgets the visited aliases here, so that recursion through Optional never ends;
  // here such a recursion ends as assignable.
  bool takes_optional(const Type* to, const OptionalType& from) {
    if (!takes(to, types::kUndef, nullptr)) return false;
    if (from.contained == nullptr) return true;
    const std::pair<const Type*, const Type*> question(to, &from);
    if (std::ranges::find(asked_, question) != asked_.end()) return true;
    asked_.push_back(question);
    const bool result = takes(to, from.contained, nullptr);
    asked_.pop_back();
    return result;
  }

  bool takes_alias(const Type* to, const TypeAliasType& from, RecursionGuard* guard) {
    RecursionGuard fresh;
    if (from.is_recursive) {
      if (guard == nullptr) guard = &fresh;
      if (guard->add_that(&from)) return true;
    }
    return takes(to, resolved_type(from), guard);
  }

  bool takes_variant(const Type* to, const VariantType& from, RecursionGuard* guard) {
    if (to->kind == TypeKind::kAny) return true;
    if (to->kind == TypeKind::kNotUndef && from.types.empty()) return takes_one(to, from, guard);
    return !from.types.empty() && std::ranges::all_of(from.types, [&](const Type* type) {
      return takes(to, type, guard);
    });
  }

  // `from` is a single type here.
  bool takes_one(const Type* to, const Type& from, RecursionGuard* guard) {
    switch (to->kind) {
      case TypeKind::kAny:
      case TypeKind::kUnit:
        return true;
      case TypeKind::kUndef:
      case TypeKind::kDefault:
      case TypeKind::kBinary:
      case TypeKind::kSemVerRange:
        return from.kind == to->kind;
      case TypeKind::kScalar:
        return is_scalar_kind(from.kind);
      case TypeKind::kScalarData:
        return is_scalar_data_kind(from.kind);
      case TypeKind::kNumeric:
        return is_numeric_kind(from.kind);
      case TypeKind::kInteger: {
        const auto* other = from.try_as<IntegerType>();
        return other != nullptr && covers(to->as<IntegerType>().range, other->range);
      }
      case TypeKind::kFloat: {
        const auto* other = from.try_as<FloatType>();
        const auto& wanted = to->as<FloatType>();
        return other != nullptr && wanted.from <= other->from && wanted.to >= other->to;
      }
      case TypeKind::kBoolean: {
        const auto* other = from.try_as<BooleanType>();
        const auto& wanted = to->as<BooleanType>();
        return other != nullptr && (wanted.value < 0 || wanted.value == other->value);
      }
      case TypeKind::kString:
        return string_takes(to->as<StringType>(), from);
      case TypeKind::kEnum:
        return enum_takes(to->as<EnumType>(), from);
      case TypeKind::kPattern:
        return pattern_takes(to->as<PatternType>(), from);
      case TypeKind::kRegexp: {
        const auto* other = from.try_as<RegexpType>();
        return other != nullptr &&
               (to->as<RegexpType>().pattern == nullptr || same_type(to, other));
      }
      case TypeKind::kCollection: {
        std::optional<IntegerRange> size = collection_size(from);
        return size && covers_size(to->as<CollectionType>().size, *size);
      }
      case TypeKind::kArray:
        return array_takes(to->as<ArrayType>(), from, guard);
      case TypeKind::kHash:
        return hash_takes(to->as<HashType>(), from, guard);
      case TypeKind::kTuple:
        return tuple_takes(to->as<TupleType>(), from, guard);
      case TypeKind::kStruct:
        return struct_takes(to->as<StructType>(), from, guard);
      case TypeKind::kVariant: {
        const auto& types = to->as<VariantType>().types;
        return std::ranges::any_of(types,
                                   [&](const Type* type) { return takes(type, &from, guard); });
      }
      case TypeKind::kOptional: {
        const Type* contained = to->as<OptionalType>().contained;
        return from.kind == TypeKind::kUndef || contained == nullptr ||
               takes(contained, &from, guard);
      }
      case TypeKind::kNotUndef: {
        const Type* contained = to->as<NotUndefType>().contained;
        return !takes(&from, types::kUndef, guard) &&
               (contained == nullptr || takes(contained, &from, guard));
      }
      case TypeKind::kIterable:
        return iterable_takes(to->as<IterableType>(), from, guard);
      case TypeKind::kIterator:
        return contained_takes<IteratorType>(*to, from, guard);
      case TypeKind::kType:
        return contained_takes<TypeType>(*to, from, guard);
      case TypeKind::kSensitive:
        return sensitive_takes(to->as<SensitiveType>(), from, guard);
      case TypeKind::kCallable:
        return callable_takes(to->as<CallableType>(), from, guard);
      case TypeKind::kInit:
        return init_takes(to->as<InitType>(), &from);
      case TypeKind::kSemVer:
        return from.kind == TypeKind::kSemVer &&
               takes_versions(to->as<SemVerType>(), from.as<SemVerType>());
      case TypeKind::kTimespan:
        return from.kind == TypeKind::kTimespan &&
               covers(to->as<TimespanType>().range, from.as<TimespanType>().range);
      case TypeKind::kTimestamp:
        return from.kind == TypeKind::kTimestamp &&
               covers(to->as<TimestampType>().range, from.as<TimestampType>().range);
      case TypeKind::kUri:
        return from.kind == TypeKind::kUri && uri_takes(to->as<UriType>(), from.as<UriType>());
      case TypeKind::kCatalogEntry:
        return is_catalog_entry_kind(from.kind);
      case TypeKind::kClass: {
        const auto* other = from.try_as<ClassType>();
        const Name wanted = to->as<ClassType>().class_name;
        return other != nullptr && (!wanted || wanted == other->class_name);
      }
      case TypeKind::kResource:
        return from.kind == TypeKind::kResource &&
               resource_takes(to->as<ResourceType>(), from.as<ResourceType>());
      case TypeKind::kRuntime:
        return from.kind == TypeKind::kRuntime &&
               runtime_takes(to->as<RuntimeType>(), from.as<RuntimeType>());
      case TypeKind::kObject:
        return object_takes(to->as<ObjectType>(), from);
      case TypeKind::kTypeSet:
        return from.kind == TypeKind::kTypeSet && (to == types::kTypeSet || same_type(to, &from));
      case TypeKind::kTypeAlias:
        return takes(resolved_type(to->as<TypeAliasType>()), &from, guard);
      case TypeKind::kTypeReference:
        return same_type(to, &from);
    }
    return false;
  }

  bool array_takes(const ArrayType& to, const Type& from, RecursionGuard* guard) {
    if (const auto* tuple = from.try_as<TupleType>()) {
      return covers_size(to.size, counted_size(*tuple)) &&
             std::ranges::all_of(tuple->types,
                                 [&](const Type* type) { return takes(to.element, type, guard); });
    }
    const auto* array = from.try_as<ArrayType>();
    return array != nullptr && covers_size(to.size, array->size) &&
           takes(to.element, array->element, guard);
  }

  bool hash_takes(const HashType& to, const Type& from, RecursionGuard* guard) {
    if (const auto* hash = from.try_as<HashType>()) {
      if (size_from(to.size) == 0 && is_type_of_empty_hash(*hash)) return true;
      return takes(to.key, hash->key, guard) && takes(to.value, hash->value, guard) &&
             covers_size(to.size, hash->size);
    }
    const auto* structure = from.try_as<StructType>();
    if (structure == nullptr) return false;
    return contains_size(to.size, structure->elements.size()) &&
           std::ranges::all_of(structure->elements, [&](const StructElement& element) {
             return is_instance(to.key, Value::string(element.name)) &&
                    takes(to.value, element.value, guard);
           });
  }

  bool tuple_takes(const TupleType& to, const Type& from, RecursionGuard* guard) {
    if (same_type(&to, &from)) return true;
    if (const auto* tuple = from.try_as<TupleType>()) {
      if (!covers_size(to.size, tuple->size)) return false;
      if (to.types.empty()) return true;
      if (tuple->types.empty()) return size_from(to.size) == 0;
      for (size_t i = 0; i < tuple->types.size(); ++i) {
        if (!takes(type_at(to.types, i), tuple->types[i], guard)) return false;
      }
      return true;
    }
    const auto* array = from.try_as<ArrayType>();
    if (array == nullptr || !covers_size(to.size, array->size)) return false;
    auto most = static_cast<size_t>(array->size.to);
    for (size_t i = 0; i < std::min(to.types.size(), most); ++i) {
      if (!takes(to.types[i], array->element, guard)) return false;
    }
    return true;
  }

  bool struct_takes(const StructType& to, const Type& from, RecursionGuard* guard) {
    if (const auto* other = from.try_as<StructType>()) {
      size_t matched = 0;
      for (const StructElement& wanted : to.elements) {
        const StructElement* given = find_element(*other, wanted.name);
        if (given == nullptr) {
          if (wanted.key->kind != TypeKind::kOptional) return false;
          continue;
        }
        ++matched;
        if (!takes(wanted.key, given->key, guard) || !takes(wanted.value, given->value, guard)) {
          return false;
        }
      }
      return matched == other->elements.size();
    }
    const auto* hash = from.try_as<HashType>();
    if (hash == nullptr) return false;
    int64_t required = 0;
    for (const StructElement& wanted : to.elements) {
      if (wanted.key->kind == TypeKind::kOptional) continue;
      ++required;
      if (!takes(wanted.value, hash->value, guard) || !takes(types::kString, hash->key, nullptr)) {
        return false;
      }
    }
    return covers_size({required, static_cast<int64_t>(to.elements.size())}, hash->size);
  }

  static const StructElement* find_element(const StructType& type, std::string_view name) {
    // The last of several with the same name, as in the reference.
    for (size_t i = type.elements.size(); i-- > 0;) {
      if (type.elements[i].name == name) return &type.elements[i];
    }
    return nullptr;
  }

  bool iterable_takes(const IterableType& to, const Type& from, RecursionGuard* guard) {
    if (to.contained == nullptr || takes(to.contained, types::kAny, guard)) {
      return is_iterable(&from);
    }
    Arena scratch;
    const Type* iterated = iterated_type(scratch, &from);
    return iterated != nullptr && takes(to.contained, iterated, guard);
  }

  // A type without a contained type is wider than those with one.
  template <typename T>
  bool contained_takes(const Type& to, const Type& from, RecursionGuard* guard) {
    const auto* other = from.try_as<T>();
    if (other == nullptr) return false;
    const Type* wanted = to.as<T>().contained;
    if (wanted == nullptr) return true;
    return other->contained != nullptr && takes(wanted, other->contained, guard);
  }

  bool sensitive_takes(const SensitiveType& to, const Type& from, RecursionGuard* guard) {
    const auto* other = from.try_as<SensitiveType>();
    if (other == nullptr) return false;
    const Type* given = other->contained == nullptr ? types::kAny : other->contained;
    return to.contained == nullptr || takes(to.contained, given, guard);
  }

  bool callable_takes(const CallableType& to, const Type& from, RecursionGuard* guard) {
    const auto* other = from.try_as<CallableType>();
    if (other == nullptr) return false;
    const Type* returned = other->return_type == nullptr ? types::kAny : other->return_type;
    if (to.return_type != nullptr && !takes(to.return_type, returned, guard)) return false;
    if (to.parameters == nullptr) return true;
    if (other->parameters == nullptr || !takes(other->parameters, to.parameters, guard)) {
      return false;
    }
    const Type* block = to.block == nullptr ? types::kUndef : to.block;
    const Type* other_block = other->block == nullptr ? types::kUndef : other->block;
    return takes(other_block, block, guard);
  }

  Nesting nesting_;
  SharedParts<bool> known_;
  // the questions about an Optional in progress
  std::vector<std::pair<const Type*, const Type*>> asked_;
};

}  // namespace

const Type* resolved_type(const TypeAliasType& alias) {
  if (alias.resolved != nullptr) return alias.resolved;
  throw EvaluationError(make_diagnostic(
      Issue::kUnresolvedType, {}, {"Reference to unresolved type " + std::string(alias.name)}));
}

bool is_type_of_empty_hash(const HashType& type) {
  return type.key->kind == TypeKind::kUnit && type.value->kind == TypeKind::kUnit &&
         type.size.from == 0 && type.size.to == 0;
}

bool is_assignable(const Type* to, const Type* from) {
  return Assignability().takes(to, from, nullptr);
}

}  // namespace bunraku
