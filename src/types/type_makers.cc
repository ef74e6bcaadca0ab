// Makers of parameterised types.

#include <algorithm>
#include <cstring>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/text/ascii.h"
#include "base/text/text_hash.h"
#include "types/built_in_types.h"
#include "types/relations.h"
#include "types/type_text.h"
#include "values/type.h"

namespace bunraku::types {
namespace {

template <typename T>
TypeOf<T::kKind> base() {
  return {{T::kKind}};
}

template <typename T>
const Type* containing(Arena& arena, const Type* contained) {
  return arena.make<T>(ContainingType<T::kKind>{base<T>(), contained});
}

const std::string_view* text_in(Arena& arena, std::string_view text) {
  return arena.make<std::string_view>(arena.copy(text));
}

// Normalizes a size as the reference does: no bound is below 0.
IntegerRange as_size(IntegerRange range) {
  if (range.from >= 0) return range;
  if (range.to == kMaxInteger) return kGivenAnySize;
  return {0, std::max<int64_t>(range.to, 0)};
}

// Returns whether both bounds are explicitly 0; a size without a lower bound is not.
bool is_empty_size(IntegerRange size) {
  return size.from == 0 && size.to == 0;
}

void flatten_into(std::vector<const Type*>& flat, std::span<const Type* const> types) {
  for (const Type* type : types) {
    if (const auto* variant = type->try_as<VariantType>()) {
      flat.insert(flat.end(), variant->types.begin(), variant->types.end());
    } else {
      flat.push_back(type);
    }
  }
}

// Removes duplicates, keeping the first of equal types.
void drop_duplicates(std::vector<const Type*>& types) {
  constexpr size_t kMostWithoutTable = 8;
  std::vector<const Type*> unique;
  unique.reserve(types.size());
  if (types.size() <= kMostWithoutTable) {
    for (const Type* type : types) {
      const bool is_new = std::ranges::none_of(
          unique, [type](const Type* other) { return same_type(type, other); });
      if (is_new) unique.push_back(type);
    }
  } else {
    auto hash = [](const Type* type) { return size_t{hash_of(Value::type(type))}; };
    std::unordered_set<const Type*, decltype(hash), decltype(&same_type)> known(types.size(), hash,
                                                                                &same_type);
    for (const Type* type : types) {
      if (known.insert(type).second) unique.push_back(type);
    }
  }
  types.swap(unique);
}

std::span<const Type* const> copied(Arena& arena, std::span<const Type* const> types) {
  return arena.copy(types);
}

}  // namespace

const Type* integer(Arena& arena, int64_t from, int64_t to) {
  if (from == kMinInteger && to == kMaxInteger) return kInteger;
  return arena.make<IntegerType>(base<IntegerType>(), IntegerRange{from, to});
}

const Type* floating(Arena& arena, double from, double to) {
  return arena.make<FloatType>(base<FloatType>(), from, to);
}

const Type* string_value(Arena& arena, std::string_view value) {
  return arena.make<StringType>(base<StringType>(), kAnySize, text_in(arena, value));
}

const Type* string_size(Arena& arena, IntegerRange size) {
  if (!is_size_given(size)) return kString;
  return arena.make<StringType>(base<StringType>(), as_size(size), nullptr);
}

const Type* collection(Arena& arena, IntegerRange size) {
  return arena.make<CollectionType>(base<CollectionType>(), as_size(size));
}

const Type* array(Arena& arena, const Type* element, IntegerRange size) {
  if (is_empty_size(size)) element = kUnit;
  return arena.make<ArrayType>(base<ArrayType>(), element, as_size(size));
}

const Type* hash(Arena& arena, const Type* key, const Type* value, IntegerRange size) {
  if (is_empty_size(size)) key = value = kUnit;
  return arena.make<HashType>(base<HashType>(), key, value, as_size(size));
}

const Type* tuple(Arena& arena, std::span<const Type* const> types, const IntegerRange* size) {
  if (size != nullptr) {
    const IntegerRange given = is_size_given(*size) ? as_size(*size) : kGivenAnySize;
    return arena.make<TupleType>(base<TupleType>(), copied(arena, types), given, true);
  }
  auto count = static_cast<int64_t>(types.size());
  const IntegerRange whole = types.empty() ? kAnySize : IntegerRange{count, count};
  return arena.make<TupleType>(base<TupleType>(), copied(arena, types), whole, false);
}

const Type* tuple(Arena& arena, std::span<const Type* const> types) {
  return tuple(arena, types, nullptr);
}

const Type* variant(Arena& arena, std::span<const Type* const> types) {
  std::vector<const Type*> flat;
  flatten_into(flat, types);
  drop_duplicates(flat);
  if (flat.size() == 1) return flat.front();
  return arena.make<VariantType>(base<VariantType>(), copied(arena, flat));
}

const Type* enumeration(Arena& arena, std::span<const std::string_view> values,
                        bool case_insensitive) {
  std::vector<std::string_view> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const auto repeated = std::ranges::unique(sorted);
  sorted.erase(repeated.begin(), repeated.end());
  for (std::string_view& value : sorted) value = arena.copy(value);
  return arena.make<EnumType>(
      base<EnumType>(), arena.copy(std::span<const std::string_view>(sorted)), case_insensitive);
}

const Type* pattern(Arena& arena, std::span<const std::string_view> patterns) {
  std::vector<std::string_view> unique;
  std::unordered_set<std::string_view, TextHash> known;
  for (const std::string_view source : patterns) {
    if (known.insert(source).second) unique.push_back(source);
  }
  for (std::string_view& source : unique) source = arena.copy(source);
  return arena.make<PatternType>(base<PatternType>(),
                                 arena.copy(std::span<const std::string_view>(unique)));
}

const Type* regexp(Arena& arena, std::string_view pattern) {
  return arena.make<RegexpType>(base<RegexpType>(), text_in(arena, pattern));
}

const Type* optional(Arena& arena, const Type* contained) {
  return containing<OptionalType>(arena, contained);
}
const Type* not_undef(Arena& arena, const Type* contained) {
  if (contained != nullptr && contained->kind == TypeKind::kAny) return kNotUndef;
  return containing<NotUndefType>(arena, contained);
}
const Type* type_of_type(Arena& arena, const Type* contained) {
  return containing<TypeType>(arena, contained);
}
const Type* iterable(Arena& arena, const Type* contained) {
  return containing<IterableType>(arena, contained);
}
const Type* iterator(Arena& arena, const Type* contained) {
  return containing<IteratorType>(arena, contained);
}
const Type* sensitive(Arena& arena, const Type* contained) {
  if (contained == nullptr || contained->kind == TypeKind::kAny) return kSensitive;
  return containing<SensitiveType>(arena, generalize(arena, contained));
}

const Type* timespan(Arena& arena, IntegerRange nanoseconds) {
  return arena.make<TimespanType>(base<TimespanType>(), nanoseconds);
}
const Type* timestamp(Arena& arena, IntegerRange nanoseconds) {
  return arena.make<TimestampType>(base<TimestampType>(), nanoseconds);
}

const CallableType* callable(Arena& arena, const TupleType* parameters, const Type* block,
                             const Type* return_type) {
  if (return_type != nullptr && return_type->kind == TypeKind::kAny) return_type = nullptr;
  return arena.make<CallableType>(base<CallableType>(), parameters, block, return_type);
}

const CallableType* callable(Arena& arena, std::span<const Type* const> parameters, int64_t from,
                             int64_t to, const Type* block, const Type* return_type) {
  const IntegerRange size{from, to};
  const Type* takes = tuple(arena, parameters, &size);
  return callable(arena, &takes->as<TupleType>(), block, return_type);
}

const Type* structure(Arena& arena, std::span<const StructElement> elements) {
  return arena.make<StructType>(base<StructType>(), arena.copy(elements));
}

StructElement struct_element(Arena& arena, std::string_view name, bool is_optional,
                             const Type* value) {
  const Type* key = string_value(arena, name);
  const std::string_view text = *key->as<StringType>().value;
  return {is_optional ? optional(arena, key) : key, text, value};
}

const Type* resource(Arena& arena, std::string_view type_name) {
  return arena.make<ResourceType>(base<ResourceType>(), Name(type_name), Name(to_lower(type_name)),
                                  nullptr);
}

const Type* resource(Arena& arena, std::string_view type_name, std::string_view title) {
  return arena.make<ResourceType>(base<ResourceType>(), Name(type_name), Name(to_lower(type_name)),
                                  text_in(arena, title));
}

const Type* class_type(Arena& arena, std::string_view class_name) {
  if (class_name.starts_with("::")) class_name.remove_prefix(2);
  return arena.make<ClassType>(base<ClassType>(), Name(class_name));
}

const Type* given_reference(Arena& arena, const Type* reference) {
  static const Name kClassName("Class"), kClassKey("class");
  const auto* resource = reference->try_as<ResourceType>();
  if (resource != nullptr && resource->is_given) return reference;
  const bool is_class = resource == nullptr || resource->key == kClassKey;
  if (!is_class) {
    const std::string_view* title =
        resource->title != nullptr ? resource->title : text_in(arena, "");
    return arena.make<ResourceType>(base<ResourceType>(), resource->type_name, resource->key, title,
                                    true);
  }
  std::string_view title =
      resource != nullptr ? *resource->title : reference->as<ClassType>().class_name.text();
  if (title.starts_with("::")) title.remove_prefix(2);
  return arena.make<ResourceType>(base<ResourceType>(), kClassName, kClassKey,
                                  text_in(arena, capitalized_segments(title)), true);
}

const Type* reference(Arena& arena, std::string_view text) {
  return arena.make<TypeReferenceType>(base<TypeReferenceType>(), arena.copy(text));
}

}  // namespace bunraku::types
