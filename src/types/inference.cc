// Inference of the types of values, and of common types.

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "types/built_in_types.h"
#include "types/enum_growth.h"
#include "types/relation_parts.h"
#include "types/relations.h"
#include "values/bounds.h"
#include "values/foreign_object.h"
#include "values/object.h"
#include "values/shared_parts.h"
#include "values/type.h"

namespace bunraku {
namespace {

IntegerRange exactly(size_t count) {
  return {static_cast<int64_t>(count), static_cast<int64_t>(count)};
}

// Returns the type T of a type value, for Type[T]: a given reference is not a type itself, but
// represents one.
const Type* referred_type(Arena& arena, const Type* type) {
  const auto* resource = type->try_as<ResourceType>();
  if (resource == nullptr || !resource->is_given) return type;
  return types::resource(arena, resource->type_name.text(), *resource->title);
}

// Makes Boolean[true] or Boolean[false].
const Type* boolean_value(Arena& arena, bool value) {
  return arena.make<BooleanType>(BooleanType{{{TypeKind::kBoolean}}, static_cast<int8_t>(value)});
}

const Type* type_of_object(Arena& arena, const ObjectInstance& object) {
  if (as_foreign(object) != nullptr) return object.type;
  const ObjectType* type = object_type_of(object.type);
  const std::vector<const ObjectMember*> parameters = type_parameters_of(*type);
  if (parameters.empty()) return type;
  // Instances of a parameterised type have the type with their own values as parameters.
  std::vector<Value> values;
  for (const ObjectMember* parameter : parameters) {
    const Value* value = find_attribute(object, parameter->name);
    values.push_back(value == nullptr ? Value::undef() : *value);
  }
  ObjectType use = *type;
  use.base = type;
  use.parameter_values = arena.copy(std::span<const Value>(values));
  return arena.make<ObjectType>(use);
}

const Type* common_of(Arena& arena, EnumGrowth& growth, const Type* a, const Type* b);

class Inference {
 public:
  Inference(Arena& arena, bool detailed) : arena_(arena), detailed_(detailed), growth_(arena) {}

  const Type* whole(Value value) {
    const Type* type = of(value);
    growth_.settle(type);
    return type;
  }

  const Type* of(Value value) {
    switch (value.kind()) {
      case ValueKind::kUndef:
      case ValueKind::kControl:
        return types::kUndef;
      case ValueKind::kDefault:
        return types::kDefault;
      case ValueKind::kBoolean:
        return boolean_value(arena_, value.as_boolean());
      case ValueKind::kInteger:
        return arena_.make<IntegerType>(
            IntegerType{{{TypeKind::kInteger}}, {value.as_integer(), value.as_integer()}});
      case ValueKind::kFloat:
        return types::floating(arena_, value.as_float(), value.as_float());
      case ValueKind::kString:
        return types::string_value(arena_, value.as_string());
      case ValueKind::kRegexp:
        return types::regexp(arena_, value.as_regexp());
      case ValueKind::kArray:
        if (value.as_array().empty()) return types::array(arena_, types::kUnit, {0, 0});
        return of_part(value, [&] { return of_items(value.as_array()); });
      case ValueKind::kHash:
        if (value.as_hash().size == 0) {
          return types::hash(arena_, types::kUnit, types::kUnit, {0, 0});
        }
        return of_part(value, [&] { return of_entries(value.as_hash()); });
      case ValueKind::kType:
        return types::type_of_type(arena_, referred_type(arena_, value.as_type()));
      case ValueKind::kSensitive: {
        const NestingGuard guard(nesting_, "a value");
        return types::sensitive(arena_, plain().whole(value.as_sensitive()));
      }
      case ValueKind::kBinary:
        return types::kBinary;
      case ValueKind::kTimestamp:
        return types::timestamp(arena_, {value.as_timestamp(), value.as_timestamp()});
      case ValueKind::kTimespan:
        return types::timespan(arena_, {value.as_timespan(), value.as_timespan()});
      case ValueKind::kSemVer:
        return of_version(value.as_sem_ver());
      case ValueKind::kSemVerRange:
        return types::kSemVerRange;
      case ValueKind::kUri:
        return of_uri(value.as_uri());
      case ValueKind::kIterator:
        return types::iterator(arena_, value.as_iterator().element_type());
      case ValueKind::kObject:
        return type_of_object(arena_, value.as_object());
    }
    return types::kAny;
  }

 private:
  template <typename Projection, typename Range>
  const Type* reduce(const Range& range, Projection projection) {
    const Type* common = nullptr;
    for (const auto& item : range) {
      const Type* type = of(projection(item));
      // undef does not affect a common type.
      if (common == nullptr || common->kind == TypeKind::kUndef) {
        common = type;
      } else if (type != common) {
        common = common_of(arena_, growth_, common, type);
      }
    }
    return common;
  }

  // Returns the result of `infer` for a container, stored for repeated parts.
  template <typename Infer>
  const Type* of_part(Value part, Infer infer) {
    const NestingGuard guard(nesting_, "a value");
    const SharedParts<const Type*>::Pair identity{part_identity(part), {}};
    if (const Type* const* known = known_.find(nesting_, identity)) return *known;
    const Type* type = infer();
    known_.remember(nesting_, identity, type);
    return type;
  }

  const Type* of_items(std::span<const Value> items) {
    if (!detailed_) {
      return types::array(arena_, reduce(items, [](Value item) { return item; }),
                          exactly(items.size()));
    }
    std::vector<const Type*> all;
    all.reserve(items.size());
    for (const Value item : items) all.push_back(of(item));
    return types::tuple(arena_, all);
  }

  const Type* of_entries(const HashObject& hash) {
    auto key = [](const HashEntry& entry) { return entry.key; };
    auto value = [](const HashEntry& entry) { return entry.value; };
    if (!detailed_) {
      const Type* key_type = reduce(hash, key);
      return types::hash(arena_, key_type, reduce(hash, value), exactly(hash.size));
    }
    const bool is_struct = std::ranges::all_of(hash, [](const HashEntry& entry) {
      return entry.key.is_string() && !entry.key.as_string().empty();
    });
    if (is_struct) return struct_of(hash);
    std::vector<const Type*> keys, values;
    for (const HashEntry& entry : hash) {
      keys.push_back(of(entry.key));
      values.push_back(of(entry.value));
    }
    const Type* key_type = types::variant(arena_, keys);
    return types::hash(arena_, key_type, types::variant(arena_, values), exactly(hash.size));
  }

  const Type* struct_of(const HashObject& hash) {
    std::vector<StructElement> elements;
    elements.reserve(hash.size);
    for (const HashEntry& entry : hash) {
      elements.push_back(
          types::struct_element(arena_, entry.key.as_string(), false, of(entry.value)));
    }
    return types::structure(arena_, elements);
  }

  const Type* of_version(const SemVer& version) {
    if (!detailed_) return types::kSemVer;
    auto* interval = arena_.make<SemVerInterval>(&version, &version, false, false);
    auto* range = arena_.make<SemVerRange>(std::string_view(), std::span(interval, 1));
    const std::span<const SemVerRange* const> ranges =
        arena_.copy(std::span<const SemVerRange* const>(
            static_cast<const SemVerRange* const*>(&static_cast<const SemVerRange* const&>(range)),
            1));
    return arena_.make<SemVerType>(SemVerType{{{TypeKind::kSemVer}}, ranges});
  }

  const Type* of_uri(const Uri& uri) {
    const Value parameters = uri_parameters(arena_, uri);
    return arena_.make<UriType>(UriType{{{TypeKind::kUri}}, parameters});
  }

  // The contents of a Sensitive are never inferred in detail.
  Inference& plain() {
    if (!detailed_) return *this;
    if (plain_ == nullptr) plain_ = std::make_unique<Inference>(arena_, false);
    return *plain_;
  }

  Arena& arena_;
  bool detailed_;
  EnumGrowth growth_;
  Nesting nesting_;
  SharedParts<const Type*> known_;
  std::unique_ptr<Inference> plain_;
};

// --- the common type ----------------------------------------------------------------------------

bool both(TypeKind kind, const Type* a, const Type* b) {
  return a->kind == kind && b->kind == kind;
}

bool takes_both(const Type* to, const Type* a, const Type* b) {
  return is_assignable(to, a) && is_assignable(to, b);
}

const Type* common_resource(Arena& arena, const ResourceType& a, const ResourceType& b) {
  // The reference compares the names as written.
  if (a.type_name != b.type_name || !a.type_name) return types::kResource;
  return types::resource(arena, a.type_name.text());
}

const Type* enum_with(Arena& arena, EnumGrowth& growth, const EnumType& type,
                      std::span<const std::string_view> others) {
  if (type.values.size() + others.size() >= EnumGrowth::kMany) return growth.joined(type, others);
  std::vector<std::string_view> all(type.values.begin(), type.values.end());
  all.insert(all.end(), others.begin(), others.end());
  return types::enumeration(arena, all, false);
}

const Type* common_string(Arena& arena, EnumGrowth& growth, const StringType& a, const Type* b) {
  if (const auto* enumeration = b->try_as<EnumType>()) {
    if (a.value == nullptr) return types::kEnum;
    return enum_with(arena, growth, *enumeration, std::span(a.value, 1));
  }
  const auto& other = b->as<StringType>();
  const bool both_sized = a.value == nullptr && other.value == nullptr && is_size_given(a.size) &&
                          is_size_given(other.size);
  if (both_sized) {
    const IntegerRange both{std::min(size_from(a.size), size_from(other.size)),
                            std::max(a.size.to, other.size.to)};
    return types::string_size(arena, is_size_given(both) ? both : kGivenAnySize);
  }
  if (a.value == nullptr || other.value == nullptr) return types::kString;
  return types::enumeration(arena, std::array{*a.value, *other.value}, false);
}

const Type* common_enum(Arena& arena, EnumGrowth& growth, const EnumType& a, const Type* b) {
  if (const auto* other = b->try_as<EnumType>()) {
    const bool is_smaller = a.values.size() < other->values.size();
    return is_smaller ? enum_with(arena, growth, *other, a.values)
                      : enum_with(arena, growth, a, other->values);
  }
  const auto& string = b->as<StringType>();
  if (string.value == nullptr) return types::kEnum;
  return enum_with(arena, growth, a, std::span(string.value, 1));
}

const Type* common_pattern(Arena& arena, const PatternType& a, const PatternType& b) {
  std::vector<std::string_view> all(a.patterns.begin(), a.patterns.end());
  all.insert(all.end(), b.patterns.begin(), b.patterns.end());
  return types::pattern(arena, all);
}

const Type* common_variant(Arena& arena, const VariantType& a, const VariantType& b) {
  std::vector<const Type*> all(a.types.begin(), a.types.end());
  all.insert(all.end(), b.types.begin(), b.types.end());
  return types::variant(arena, all);
}

// The common type of two types of the same sort; null when the sort has no rule.
const Type* common_of_sort(Arena& arena, EnumGrowth& growth, const Type* a, const Type* b) {
  if (both(TypeKind::kArray, a, b)) {
    return types::array(
        arena, common_of(arena, growth, a->as<ArrayType>().element, b->as<ArrayType>().element));
  }
  if (both(TypeKind::kHash, a, b)) {
    const auto& x = a->as<HashType>();
    const auto& y = b->as<HashType>();
    const Type* key = common_of(arena, growth, x.key, y.key);
    return types::hash(arena, key, common_of(arena, growth, x.value, y.value));
  }
  if (both(TypeKind::kClass, a, b)) return types::kClass;
  if (both(TypeKind::kResource, a, b)) {
    return common_resource(arena, a->as<ResourceType>(), b->as<ResourceType>());
  }
  if (both(TypeKind::kInteger, a, b)) {
    const IntegerRange x = a->as<IntegerType>().range;
    const IntegerRange y = b->as<IntegerType>().range;
    return types::integer(arena, std::min(x.from, y.from), std::max(x.to, y.to));
  }
  if (both(TypeKind::kFloat, a, b)) {
    const auto& x = a->as<FloatType>();
    const auto& y = b->as<FloatType>();
    return types::floating(arena, std::min(x.from, y.from), std::max(x.to, y.to));
  }
  const bool b_is_text = b->kind == TypeKind::kString || b->kind == TypeKind::kEnum;
  if (a->kind == TypeKind::kString && b_is_text)
    return common_string(arena, growth, a->as<StringType>(), b);
  if (both(TypeKind::kPattern, a, b)) {
    return common_pattern(arena, a->as<PatternType>(), b->as<PatternType>());
  }
  if (a->kind == TypeKind::kEnum && b_is_text) {
    return common_enum(arena, growth, a->as<EnumType>(), b);
  }
  if (both(TypeKind::kVariant, a, b)) {
    return common_variant(arena, a->as<VariantType>(), b->as<VariantType>());
  }
  if (both(TypeKind::kRegexp, a, b)) return types::kRegexp;
  if (both(TypeKind::kCallable, a, b)) return types::kCallable;
  return nullptr;
}

const Type* common_of(Arena& arena, EnumGrowth& growth, const Type* a, const Type* b) {
  if (a == nullptr || a->kind == TypeKind::kUndef) return b;
  if (b == nullptr || b->kind == TypeKind::kUndef) return a;
  if (a->kind == TypeKind::kUnit) return b;
  if (b->kind == TypeKind::kUnit) return a;
  if (is_assignable(a, b)) return a;
  if (is_assignable(b, a)) return b;
  static thread_local Nesting nesting;
  const NestingGuard guard(nesting, "a type");
  if (const Type* common = common_of_sort(arena, growth, a, b)) return common;
  for (const Type* wide : {types::kNumeric, types::kScalarData, types::kScalar, types::kData}) {
    if (takes_both(wide, a, b)) return wide;
  }
  if (both(TypeKind::kType, a, b)) {
    return types::type_of_type(
        arena, common_of(arena, growth, a->as<TypeType>().contained, b->as<TypeType>().contained));
  }
  if (takes_both(types::kRichData, a, b)) return types::kRichData;
  return types::kAny;
}

}  // namespace

const Type* infer(Arena& arena, Value value) {
  return Inference(arena, false).whole(value);
}

const Type* infer_detailed(Arena& arena, Value value) {
  return Inference(arena, true).whole(value);
}

const Type* common_type(Arena& arena, const Type* a, const Type* b) {
  EnumGrowth growth(arena);
  const Type* type = common_of(arena, growth, a, b);
  growth.settle(type);
  return type;
}

// --- iteration ----------------------------------------------------------------------------------

bool is_iterable(const Type* type) {
  switch (type->kind) {
    case TypeKind::kEnum:
    case TypeKind::kInteger:
    case TypeKind::kCollection:
    case TypeKind::kArray:
    case TypeKind::kHash:
    case TypeKind::kTuple:
    case TypeKind::kStruct:
    case TypeKind::kIterable:
    case TypeKind::kIterator:
    case TypeKind::kString:
      return true;
    case TypeKind::kType: {
      const Type* contained = type->as<TypeType>().contained;
      if (contained == nullptr) return false;
      if (contained->kind == TypeKind::kEnum) return true;
      const auto* integer = contained->try_as<IntegerType>();
      return integer != nullptr && integer->range.from != kMinInteger &&
             integer->range.to != kMaxInteger;
    }
    case TypeKind::kTypeAlias: {
      const Type* resolved = resolve_alias(type);
      return resolved->kind != TypeKind::kTypeAlias && is_iterable(resolved);
    }
    default:
      return false;
  }
}

namespace {

const Type* pair_of(Arena& arena, const Type* key, const Type* value) {
  const Type* pair[] = {key, value};
  constexpr IntegerRange kTwo{2, 2};
  return types::tuple(arena, pair, &kTwo);
}

const Type* iterated_struct(Arena& arena, const StructType& type) {
  if (type.elements.empty()) return pair_of(arena, types::kUnit, types::kUnit);
  std::vector<const Type*> keys, values;
  for (const StructElement& element : type.elements) {
    keys.push_back(element.key);
    values.push_back(element.value);
  }
  const Type* key = types::variant(arena, keys);
  return pair_of(arena, key, types::variant(arena, values));
}

}  // namespace

const Type* iterated_type(Arena& arena, const Type* type) {
  switch (type->kind) {
    case TypeKind::kEnum:
    case TypeKind::kString:
      return types::string_size(arena, {1, 1});
    case TypeKind::kInteger:
      return types::kInteger;
    case TypeKind::kArray: {
      const Type* element = type->as<ArrayType>().element;
      return element->kind == TypeKind::kAny ? nullptr : element;
    }
    case TypeKind::kHash: {
      const auto& hash = type->as<HashType>();
      if (same_type(type, types::kHash)) return pair_of(arena, types::kUnit, types::kUnit);
      return pair_of(arena, hash.key, hash.value);
    }
    case TypeKind::kTuple:
      return types::variant(arena, type->as<TupleType>().types);
    case TypeKind::kStruct:
      return iterated_struct(arena, type->as<StructType>());
    case TypeKind::kIterable:
      return type->as<IterableType>().contained;
    case TypeKind::kIterator:
      return type->as<IteratorType>().contained;
    case TypeKind::kType:
      return is_iterable(type) ? type->as<TypeType>().contained : nullptr;
    case TypeKind::kTypeAlias: {
      const Type* resolved = resolve_alias(type);
      return resolved->kind == TypeKind::kTypeAlias ? nullptr : iterated_type(arena, resolved);
    }
    default:
      return nullptr;
  }
}

}  // namespace bunraku
