// Equality of types.

#include <algorithm>

#include "values/bounds.h"
#include "values/object.h"
#include "values/shared_parts.h"
#include "values/type.h"

namespace bunraku {
namespace {

// Compares two types recursively.
class Comparison {
 public:
  bool same(const Type* a, const Type* b) {
    if (a == b) return true;
    if (a == nullptr || b == nullptr || a->kind != b->kind) return false;
    const NestingGuard guard(nesting_, "a type");
    const SharedParts<bool>::Pair pair{{a}, {b}};
    if (same_.find(nesting_, pair) != nullptr) return true;
    if (!same_kind(*a, *b)) return false;
    same_.remember(nesting_, pair, true);
    return true;
  }

 private:
  static bool same_range(IntegerRange a, IntegerRange b) {
    return a.from == b.from && a.to == b.to;
  }

  template <typename T>
  static bool same_optional(const T* a, const T* b) {
    if (a == nullptr || b == nullptr) return a == b;
    return *a == *b;
  }

  template <typename T>
  bool same_contained(const Type& a, const Type& b) {
    return same(a.as<T>().contained, b.as<T>().contained);
  }

  bool same_list(std::span<const Type* const> a, std::span<const Type* const> b) {
    return std::ranges::equal(a, b, [this](const Type* x, const Type* y) { return same(x, y); });
  }

  // Compares without regard to order.
  bool same_set(std::span<const Type* const> a, std::span<const Type* const> b) {
    if (a.size() != b.size()) return false;
    return std::ranges::all_of(a, [&](const Type* x) {
      return std::ranges::any_of(b, [&](const Type* y) { return same(x, y); });
    });
  }

  static bool same_values(std::span<const Value> a, std::span<const Value> b) {
    return std::ranges::equal(a, b, [](Value x, Value y) { return identical(x, y); });
  }

  static bool same_patterns(const PatternType& a, const PatternType& b) {
    if (a.patterns.size() != b.patterns.size()) return false;
    return std::ranges::all_of(a.patterns, [&](std::string_view source) {
      return std::ranges::find(b.patterns, source) != b.patterns.end();
    });
  }

  bool same_tuple(const TupleType& a, const TupleType& b) {
    if (a.size_given != b.size_given) return false;
    return same_range(a.size, b.size) && same_list(a.types, b.types);
  }

  bool same_struct(const StructType& a, const StructType& b) {
    return std::ranges::equal(a.elements, b.elements,
                              [this](const StructElement& x, const StructElement& y) {
                                return same(x.key, y.key) && same(x.value, y.value);
                              });
  }

  bool same_callable(const CallableType& a, const CallableType& b) {
    return same(a.parameters, b.parameters) && same(a.block, b.block) &&
           same(a.return_type, b.return_type);
  }

  static bool same_ranges(const SemVerType& a, const SemVerType& b) {
    return std::ranges::equal(a.ranges, b.ranges, [](const SemVerRange* x, const SemVerRange* y) {
      return identical(Value::sem_ver_range(x), Value::sem_ver_range(y));
    });
  }

  bool same_members(std::span<const ObjectMember> a, std::span<const ObjectMember> b) {
    return std::ranges::equal(a, b, [this](const ObjectMember& x, const ObjectMember& y) {
      return x.name == y.name && x.kind == y.kind && x.is_function == y.is_function &&
             x.is_override == y.is_override && x.is_final == y.is_final &&
             x.has_value == y.has_value && same(x.type, y.type) && identical(x.value, y.value);
    });
  }

  bool same_object_type(const ObjectType& a, const ObjectType& b) {
    if ((a.base == nullptr) != (b.base == nullptr)) return false;
    if (a.base != nullptr) {
      return same(a.base, b.base) && same_values(a.parameter_values, b.parameter_values);
    }
    return a.name == b.name && same(a.parent, b.parent) &&
           same_members(a.type_parameters, b.type_parameters) &&
           same_members(a.members, b.members) && a.equality_given == b.equality_given &&
           std::ranges::equal(a.equality, b.equality) && identical(a.checks, b.checks);
  }

  static bool same_type_set(const TypeSetType& a, const TypeSetType& b) {
    if (a.name != b.name || a.init_hash.is_hash() != b.init_hash.is_hash()) return false;
    if (!a.init_hash.is_hash()) return true;
    for (const std::string_view key : {"name_authority", "version"}) {
      const Value* x = a.init_hash.as_hash().find(key);
      const Value* y = b.init_hash.as_hash().find(key);
      if ((x == nullptr) != (y == nullptr)) return false;
      if (x != nullptr && !identical(*x, *y)) return false;
    }
    return true;
  }

  static bool same_runtime(const RuntimeType& a, const RuntimeType& b) {
    return a.runtime == b.runtime && a.name == b.name && a.is_mapping == b.is_mapping &&
           a.name_replacement == b.name_replacement;
  }

  bool same_string(const StringType& a, const StringType& b) {
    return same_range(a.size, b.size) && same_optional(a.value, b.value);
  }

  bool same_kind(const Type& a, const Type& b) {
    switch (a.kind) {
      case TypeKind::kInteger:
        return same_range(a.as<IntegerType>().range, b.as<IntegerType>().range);
      case TypeKind::kFloat:
        return a.as<FloatType>().from == b.as<FloatType>().from &&
               a.as<FloatType>().to == b.as<FloatType>().to;
      case TypeKind::kBoolean:
        return a.as<BooleanType>().value == b.as<BooleanType>().value;
      case TypeKind::kString:
        return same_string(a.as<StringType>(), b.as<StringType>());
      case TypeKind::kEnum: {
        const auto& x = a.as<EnumType>();
        const auto& y = b.as<EnumType>();
        return x.case_insensitive == y.case_insensitive && std::ranges::equal(x.values, y.values);
      }
      case TypeKind::kPattern:
        return same_patterns(a.as<PatternType>(), b.as<PatternType>());
      case TypeKind::kRegexp:
        return same_optional(a.as<RegexpType>().pattern, b.as<RegexpType>().pattern);
      case TypeKind::kCollection:
        return same_range(a.as<CollectionType>().size, b.as<CollectionType>().size);
      case TypeKind::kArray:
        return same_range(a.as<ArrayType>().size, b.as<ArrayType>().size) &&
               same(a.as<ArrayType>().element, b.as<ArrayType>().element);
      case TypeKind::kHash:
        return same_range(a.as<HashType>().size, b.as<HashType>().size) &&
               same(a.as<HashType>().key, b.as<HashType>().key) &&
               same(a.as<HashType>().value, b.as<HashType>().value);
      case TypeKind::kTuple:
        return same_tuple(a.as<TupleType>(), b.as<TupleType>());
      case TypeKind::kStruct:
        return same_struct(a.as<StructType>(), b.as<StructType>());
      case TypeKind::kVariant:
        return same_set(a.as<VariantType>().types, b.as<VariantType>().types);
      case TypeKind::kOptional:
        return same_contained<OptionalType>(a, b);
      case TypeKind::kNotUndef:
        return same_contained<NotUndefType>(a, b);
      case TypeKind::kIterable:
        return same_contained<IterableType>(a, b);
      case TypeKind::kIterator:
        return same_contained<IteratorType>(a, b);
      case TypeKind::kType:
        return same_contained<TypeType>(a, b);
      case TypeKind::kSensitive:
        return same_contained<SensitiveType>(a, b);
      case TypeKind::kCallable:
        return same_callable(a.as<CallableType>(), b.as<CallableType>());
      case TypeKind::kInit:
        return same_contained<InitType>(a, b) &&
               same_values(a.as<InitType>().arguments, b.as<InitType>().arguments);
      case TypeKind::kSemVer:
        return same_ranges(a.as<SemVerType>(), b.as<SemVerType>());
      case TypeKind::kTimespan:
        return same_range(a.as<TimespanType>().range, b.as<TimespanType>().range);
      case TypeKind::kTimestamp:
        return same_range(a.as<TimestampType>().range, b.as<TimestampType>().range);
      case TypeKind::kUri:
        return identical(a.as<UriType>().parameters, b.as<UriType>().parameters);
      case TypeKind::kClass:
        return a.as<ClassType>().class_name == b.as<ClassType>().class_name;
      case TypeKind::kResource:
        return a.as<ResourceType>().key == b.as<ResourceType>().key &&
               a.as<ResourceType>().is_given == b.as<ResourceType>().is_given &&
               same_optional(a.as<ResourceType>().title, b.as<ResourceType>().title);
      case TypeKind::kRuntime:
        return same_runtime(a.as<RuntimeType>(), b.as<RuntimeType>());
      case TypeKind::kObject:
        return same_object_type(a.as<ObjectType>(), b.as<ObjectType>());
      case TypeKind::kTypeSet:
        return same_type_set(a.as<TypeSetType>(), b.as<TypeSetType>());
      case TypeKind::kTypeAlias:
        return a.as<TypeAliasType>().name == b.as<TypeAliasType>().name;
      case TypeKind::kTypeReference:
        return a.as<TypeReferenceType>().text == b.as<TypeReferenceType>().text;
      default:
        return true;  // kinds without parameters
    }
  }

  Nesting nesting_;
  SharedParts<bool> same_;
};

}  // namespace

bool same_type(const Type* a, const Type* b) {
  return Comparison().same(a, b);
}

const Type* resolve_alias(const Type* type) {
  constexpr int kMaxAliases = 1000;
  for (int i = 0; i < kMaxAliases; ++i) {
    const auto* alias = type->try_as<TypeAliasType>();
    if (alias == nullptr || alias->resolved == nullptr) return type;
    type = alias->resolved;
  }
  return type;
}

}  // namespace bunraku
