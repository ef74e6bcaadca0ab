// Generalization (wider types) and normalization (simplest form) of types.

#include <algorithm>
#include <vector>

#include "base/text/utf8.h"
#include "types/built_in_types.h"
#include "types/relation_parts.h"
#include "types/relations.h"
#include "values/bounds.h"
#include "values/sem_ver.h"
#include "values/shared_parts.h"
#include "values/type.h"

namespace bunraku {
namespace {

const Type* string_of_sizes(Arena& arena, const EnumType& type) {
  if (type.values.empty()) return types::kString;
  IntegerRange range{kMaxInteger, 0};
  for (const std::string_view value : type.values) {
    auto size = static_cast<int64_t>(character_count(value));
    range.from = std::min(range.from, size);
    range.to = std::max(range.to, size);
  }
  return types::string_size(arena, range);
}

// Rebuilds a type with each contained type replaced by the result of `Change`. Unchanged types stay
// the same object.
template <typename Change>
class Rebuilder {
 public:
  Rebuilder(Arena& arena, Change change) : arena_(arena), change_(change) {}

  template <typename T>
  const Type* containing(const Type* type) {
    const Type* contained = type->as<T>().contained;
    if (contained == nullptr) return type;
    const Type* changed = change_(contained);
    if (changed == contained) return type;
    if (T::kKind == TypeKind::kSensitive) return types::sensitive(arena_, changed);
    T copy = type->as<T>();
    copy.contained = changed;
    return arena_.make<T>(copy);
  }

  // Returns false when nothing changed.
  bool list(std::span<const Type* const> types, std::vector<const Type*>& changed) {
    bool modified = false;
    for (const Type* type : types) {
      changed.push_back(change_(type));
      modified |= changed.back() != type;
    }
    return modified;
  }

  const Type* tuple(const Type* type) {
    const auto& tuple = type->as<TupleType>();
    std::vector<const Type*> changed;
    if (!list(tuple.types, changed)) return type;
    return types::tuple(arena_, changed, tuple.size_given ? &tuple.size : nullptr);
  }

  const Type* structure(const Type* type) {
    const auto& structure = type->as<StructType>();
    std::vector<StructElement> changed(structure.elements.begin(), structure.elements.end());
    bool modified = false;
    for (StructElement& element : changed) {
      const Type* value = change_(element.value);
      modified |= value != element.value;
      element.value = value;
    }
    return modified ? types::structure(arena_, changed) : type;
  }

  const Type* callable(const Type* type) {
    const auto& callable = type->as<CallableType>();
    auto changed = [this](const Type* part) { return part == nullptr ? nullptr : change_(part); };
    const Type* parameters = changed(callable.parameters);
    const Type* block = changed(callable.block);
    const Type* return_type = changed(callable.return_type);
    if (parameters == callable.parameters && block == callable.block &&
        return_type == callable.return_type) {
      return type;
    }
    const TupleType* tuple = parameters == nullptr ? nullptr : &parameters->as<TupleType>();
    return types::callable(arena_, tuple, block, return_type);
  }

 private:
  Arena& arena_;
  Change change_;
};

// The changed forms of types, computed once for types that share parts.
class ChangedForms {
 public:
  template <typename Change>
  const Type* of(const Type* type, Change change) {
    const NestingGuard guard(nesting_, "a type");
    const SharedParts<const Type*>::Pair identity{{type}, {}};
    if (const Type* const* known = known_.find(nesting_, identity)) return *known;
    const Type* changed = change(type);
    known_.remember(nesting_, identity, changed);
    return changed;
  }

 private:
  Nesting nesting_;
  SharedParts<const Type*> known_;
};

// --- generalize ---------------------------------------------------------------------------------

class Generalization {
 public:
  explicit Generalization(Arena& arena) : arena_(arena) {}

  const Type* of(const Type* type) {
    return forms_.of(type, [this](const Type* part) { return changed_form(part); });
  }

 private:
  const Type* changed_form(const Type* type) {
    auto change = [this](const Type* part) { return of(part); };
    Rebuilder rebuilder(arena_, change);
    switch (type->kind) {
      case TypeKind::kEnum:
        return string_of_sizes(arena_, type->as<EnumType>());
      case TypeKind::kBoolean:
        return types::kBoolean;
      case TypeKind::kInteger:
        return types::kInteger;
      case TypeKind::kFloat:
        return types::kFloat;
      case TypeKind::kString:
        return types::kString;
      case TypeKind::kCollection:
        return types::kCollection;
      case TypeKind::kTimespan:
        return types::kTimespan;
      case TypeKind::kTimestamp:
        return types::kTimestamp;
      case TypeKind::kUri:
        return types::kUri;
      case TypeKind::kArray:
        return of_array(type);
      case TypeKind::kHash:
        return of_hash(type);
      case TypeKind::kTuple:
        return rebuilder.tuple(type);
      case TypeKind::kStruct:
        return rebuilder.structure(type);
      case TypeKind::kCallable:
        return rebuilder.callable(type);
      case TypeKind::kVariant: {
        std::vector<const Type*> changed;
        const bool modified = rebuilder.list(type->as<VariantType>().types, changed);
        return modified ? types::variant(arena_, changed) : type;
      }
      case TypeKind::kOptional:
        return rebuilder.template containing<OptionalType>(type);
      case TypeKind::kNotUndef:
        return rebuilder.template containing<NotUndefType>(type);
      case TypeKind::kIterable:
        return rebuilder.template containing<IterableType>(type);
      case TypeKind::kIterator:
        return rebuilder.template containing<IteratorType>(type);
      case TypeKind::kType:
        return rebuilder.template containing<TypeType>(type);
      case TypeKind::kSensitive:
        return rebuilder.template containing<SensitiveType>(type);
      case TypeKind::kInit:
        return rebuilder.template containing<InitType>(type);
      case TypeKind::kObject: {
        const ObjectType* base = type->as<ObjectType>().base;
        return base != nullptr ? base : type;
      }
      default:
        return type;
    }
  }

  const Type* of_array(const Type* type) {
    const auto& array = type->as<ArrayType>();
    if (array.element->kind == TypeKind::kAny) return types::kArray;
    const Type* element = of(array.element);
    if (!is_size_given(array.size) && element == array.element) return type;
    return types::array(arena_, element);
  }

  const Type* of_hash(const Type* type) {
    const auto& hash = type->as<HashType>();
    if (is_type_of_empty_hash(hash)) return type;
    const Type* key = of(hash.key);
    const Type* value = of(hash.value);
    if (!is_size_given(hash.size) && key == hash.key && value == hash.value) return type;
    return types::hash(arena_, key, value);
  }

  Arena& arena_;
  ChangedForms forms_;
};

// --- normalize ----------------------------------------------------------------------------------

using TypeList = std::vector<const Type*>;

// Moves the types that `is_part` accepts out of `types` into the result; leaves `types` unchanged
// when there are fewer than two.
template <typename Predicate>
TypeList take_several(TypeList& types, Predicate is_part) {
  TypeList parts, others;
  for (const Type* type : types) (is_part(type) ? parts : others).push_back(type);
  if (parts.size() < 2) return {};
  types.swap(others);
  return parts;
}

bool is_plain_text(const Type* type) {
  if (const auto* string = type->try_as<StringType>()) return string->value != nullptr;
  const auto* enumeration = type->try_as<EnumType>();
  return enumeration != nullptr && !enumeration->values.empty() && !enumeration->case_insensitive;
}

bool is_caseless_enum(const Type* type) {
  const auto* enumeration = type->try_as<EnumType>();
  return enumeration != nullptr && !enumeration->values.empty() && enumeration->case_insensitive;
}

void merge_enums(Arena& arena, TypeList& types) {
  std::vector<std::string_view> values;
  for (const Type* type : take_several(types, is_plain_text)) {
    if (const auto* string = type->try_as<StringType>()) {
      values.push_back(*string->value);
    } else {
      const auto& more = type->as<EnumType>().values;
      values.insert(values.end(), more.begin(), more.end());
    }
  }
  if (!values.empty()) types.push_back(types::enumeration(arena, values, false));
  values.clear();
  for (const Type* type : take_several(types, is_caseless_enum)) {
    for (const std::string_view value : type->as<EnumType>().values) {
      values.push_back(arena.copy(std::string_view(downcase(value))));
    }
  }
  if (!values.empty()) types.push_back(types::enumeration(arena, values, true));
}

void merge_patterns(Arena& arena, TypeList& types) {
  std::vector<std::string_view> sources;
  auto is_pattern = [](const Type* type) { return type->kind == TypeKind::kPattern; };
  for (const Type* type : take_several(types, is_pattern)) {
    const auto& more = type->as<PatternType>().patterns;
    sources.insert(sources.end(), more.begin(), more.end());
  }
  if (!sources.empty()) types.push_back(types::pattern(arena, sources));
}

template <typename Range, typename Merge>
std::vector<Range> merge_ranges(std::vector<Range> ranges, Merge merge) {
  std::vector<Range> result;
  while (!ranges.empty()) {
    std::vector<Range> apart;
    Range whole = ranges.back();
    ranges.pop_back();
    for (const Range& range : ranges) {
      if (!merge(whole, range)) apart.push_back(range);
    }
    result.push_back(whole);
    ranges.swap(apart);
  }
  return result;
}

// Merges ranges in the reference's order; that takes quadratic time, so a large number is sorted
// instead.
template <typename Range, typename Merge>
std::vector<Range> merge_number_ranges(std::vector<Range> ranges, Merge merge) {
  constexpr size_t kMostUnsorted = 1000;
  if (ranges.size() <= kMostUnsorted) return merge_ranges(std::move(ranges), merge);
  std::sort(ranges.begin(), ranges.end(),
            [](const Range& a, const Range& b) { return a.from < b.from; });
  std::vector<Range> result;
  for (const Range& range : ranges) {
    if (result.empty() || !merge(result.back(), range)) result.push_back(range);
  }
  return result;
}

// `touching`: adjacent ranges are merged too.
bool merge_into(IntegerRange& whole, IntegerRange range, bool touching) {
  const bool apart = whole.to < range.from || range.to < whole.from;
  if (apart) {
    const bool follows = touching && ((whole.to < range.from && whole.to + 1 == range.from) ||
                                      (range.to < whole.from && range.to + 1 == whole.from));
    if (!follows) return false;
  }
  whole.from = std::min(whole.from, range.from);
  whole.to = std::max(whole.to, range.to);
  return true;
}

template <typename T>
void merge_integer_ranges(Arena& arena, TypeList& types, bool touching) {
  std::vector<IntegerRange> ranges;
  auto is_kind = [](const Type* type) { return type->kind == T::kKind; };
  for (const Type* type : take_several(types, is_kind)) ranges.push_back(type->as<T>().range);
  if (ranges.empty()) return;
  TypeList merged;
  auto merge = [touching](IntegerRange& whole, IntegerRange range) {
    return merge_into(whole, range, touching);
  };
  for (const IntegerRange range : merge_number_ranges(std::move(ranges), merge)) {
    merged.push_back(arena.make<T>(T{{{T::kKind}}, range}));
  }
  types.insert(types.begin(), merged.begin(), merged.end());
}

void merge_floats(Arena& arena, TypeList& types) {
  struct FloatRange {
    double from, to;
  };
  std::vector<FloatRange> ranges;
  auto is_float = [](const Type* type) { return type->kind == TypeKind::kFloat; };
  for (const Type* type : take_several(types, is_float)) {
    ranges.push_back({type->as<FloatType>().from, type->as<FloatType>().to});
  }
  if (ranges.empty()) return;
  auto merge = [](FloatRange& whole, FloatRange range) {
    if (whole.to < range.from || range.to < whole.from) return false;
    whole = {std::min(whole.from, range.from), std::max(whole.to, range.to)};
    return true;
  };
  TypeList merged;
  for (const FloatRange range : merge_number_ranges(std::move(ranges), merge)) {
    merged.push_back(types::floating(arena, range.from, range.to));
  }
  types.insert(types.begin(), merged.begin(), merged.end());
}

void merge_versions(Arena& arena, TypeList& types) {
  std::vector<const SemVerRange*> ranges;
  auto is_version = [](const Type* type) { return type->kind == TypeKind::kSemVer; };
  const TypeList parts = take_several(types, is_version);
  if (parts.empty()) return;
  for (const Type* type : parts) {
    const auto& more = type->as<SemVerType>().ranges;
    ranges.insert(ranges.end(), more.begin(), more.end());
  }
  types.insert(types.begin(), types::sem_ver(arena, ranges));
}

class Normalization {
 public:
  explicit Normalization(Arena& arena) : arena_(arena) {}

  const Type* of(const Type* type) {
    return forms_.of(type, [this](const Type* part) { return changed_form(part); });
  }

 private:
  const Type* changed_form(const Type* type) {
    auto change = [this](const Type* part) { return of(part); };
    Rebuilder rebuilder(arena_, change);
    switch (type->kind) {
      case TypeKind::kCollection:
        return types::kCollection;
      case TypeKind::kArray:
        return of_array(type);
      case TypeKind::kHash:
        return of_hash(type);
      case TypeKind::kTuple:
        return rebuilder.tuple(type);
      case TypeKind::kStruct:
        return rebuilder.structure(type);
      case TypeKind::kCallable:
        return rebuilder.callable(type);
      case TypeKind::kVariant:
        return of_variant(type);
      case TypeKind::kOptional:
        return of_optional(rebuilder.template containing<OptionalType>(type));
      case TypeKind::kNotUndef:
        return of_not_undef(rebuilder.template containing<NotUndefType>(type));
      case TypeKind::kIterable:
        return rebuilder.template containing<IterableType>(type);
      case TypeKind::kIterator:
        return rebuilder.template containing<IteratorType>(type);
      case TypeKind::kType:
        return rebuilder.template containing<TypeType>(type);
      case TypeKind::kSensitive:
        return rebuilder.template containing<SensitiveType>(type);
      case TypeKind::kInit:
        return rebuilder.template containing<InitType>(type);
      default:
        return type;
    }
  }

  const Type* of_array(const Type* type) {
    const auto& array = type->as<ArrayType>();
    if (array.element->kind == TypeKind::kAny) return types::kArray;
    const Type* element = of(array.element);
    return element == array.element ? type : types::array(arena_, element, array.size);
  }

  const Type* of_hash(const Type* type) {
    const auto& hash = type->as<HashType>();
    if (is_type_of_empty_hash(hash)) return type;
    const Type* key = of(hash.key);
    const Type* value = of(hash.value);
    if (key == hash.key && value == hash.value) return type;
    return types::hash(arena_, key, value, hash.size);
  }

  const Type* of_optional(const Type* type) {
    const Type* contained = type->as<OptionalType>().contained;
    if (contained == nullptr) return type;
    if (const auto* inner = contained->try_as<NotUndefType>()) {
      return of(types::optional(arena_, inner->contained));
    }
    return is_assignable(contained, types::kUndef) ? contained : type;
  }

  const Type* of_not_undef(const Type* type) {
    const Type* contained = type->as<NotUndefType>().contained;
    if (contained == nullptr) return type;
    if (contained->kind == TypeKind::kAny) return types::kNotUndef;
    if (const auto* inner = contained->try_as<OptionalType>()) {
      return of(types::not_undef(arena_, inner->contained));
    }
    return is_assignable(contained, types::kUndef) ? type : contained;
  }

  const Type* of_variant(const Type* type) {
    const auto& variant = type->as<VariantType>();
    if (variant.types.empty()) return type;
    TypeList types;
    bool modified = false;
    for (const Type* option : variant.types) {
      types.push_back(of(option));
      modified |= types.back() != option;
    }
    if (types.size() == 1) return types.front();
    const bool takes_undef = std::ranges::any_of(types, [](const Type* option) {
      return option->kind == TypeKind::kUndef || option->kind == TypeKind::kOptional;
    });
    if (takes_undef) return optional_of(types);
    TypeList merged;
    for (const Type* option : types) {
      if (const auto* inner = option->try_as<VariantType>()) {
        merged.insert(merged.end(), inner->types.begin(), inner->types.end());
      } else {
        merged.push_back(option);
      }
    }
    const size_t size_before = merged.size();
    merge_not_undefs(merged);
    merge_enums(arena_, merged);
    merge_patterns(arena_, merged);
    merge_versions(arena_, merged);
    merge_integer_ranges<IntegerType>(arena_, merged, true);
    merge_floats(arena_, merged);
    merge_integer_ranges<TimespanType>(arena_, merged, false);
    merge_integer_ranges<TimestampType>(arena_, merged, false);
    if (merged.size() == 1) return merged.front();
    if (!modified && merged.size() == size_before) return type;
    return types::variant(arena_, merged);
  }

  // Variant[Undef, Integer] is normalized to Optional[Integer].
  const Type* optional_of(const TypeList& types) {
    TypeList contained;
    for (const Type* option : types) {
      if (option->kind == TypeKind::kUndef) continue;
      const auto* optional = option->try_as<OptionalType>();
      if (optional == nullptr) {
        contained.push_back(option);
      } else if (optional->contained != nullptr) {
        contained.push_back(optional->contained);
      }
    }
    return of(types::optional(arena_, types::variant(arena_, contained)));
  }

  void merge_not_undefs(TypeList& types) {
    auto is_not_undef = [](const Type* type) { return type->kind == TypeKind::kNotUndef; };
    const TypeList parts = take_several(types, is_not_undef);
    if (parts.empty()) return;
    TypeList contained;
    for (const Type* part : parts) {
      const Type* inner = part->as<NotUndefType>().contained;
      contained.push_back(inner == nullptr ? types::kAny : inner);
    }
    types.push_back(types::not_undef(arena_, of(types::variant(arena_, contained))));
  }

  Arena& arena_;
  ChangedForms forms_;
};

}  // namespace

namespace types {

const Type* sem_ver(Arena& arena, std::span<const SemVerRange* const> ranges) {
  std::vector<const SemVerRange*> all(ranges.begin(), ranges.end());
  if (all.size() > 1) {
    auto merge = [&arena](const SemVerRange*& whole, const SemVerRange* range) {
      const SemVerRange* both = merge_for_type(arena, *whole, *range);
      if (both != nullptr) whole = both;
      return both != nullptr;
    };
    all = merge_ranges(std::move(all), merge);
    std::ranges::reverse(all);
  }
  return arena.make<SemVerType>(
      SemVerType{{{TypeKind::kSemVer}}, arena.copy(std::span<const SemVerRange* const>(all))});
}

}  // namespace types

const Type* generalize(Arena& arena, const Type* type) {
  return Generalization(arena).of(type);
}
const Type* normalize(Arena& arena, const Type* type) {
  return Normalization(arena).of(type);
}

}  // namespace bunraku
