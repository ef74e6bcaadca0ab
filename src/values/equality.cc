// Identity and equality of values, and hashes that are consistent with them.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "base/text/ascii.h"
#include "base/text/text_hash.h"
#include "base/text/utf8.h"
#include "values/bounds.h"
#include "values/object.h"
#include "values/shared_parts.h"
#include "values/time_arithmetic.h"
#include "values/type.h"
#include "values/uri.h"
#include "values/value.h"

namespace bunraku {

namespace {

uint32_t mix(uint64_t word) {
  return static_cast<uint32_t>(word_hash(word));
}

uint32_t hash_of_float(double value) {
  if (value == 0) value = 0;  // -0.0 is the same key
  return mix(__builtin_bit_cast(uint64_t, value) ^ 0xf10a7);
}

// The number of parts that enter a value's hash: enough to distinguish keys, and a limit for deep
// or wide values. It is divided among the items of a container, so that the order of a hash's
// entries does not matter; for the outermost container all items enter.
constexpr uint32_t kHashedParts = 256;
constexpr uint32_t kHashedPartsOfItem = 32;

uint32_t hash_to_budget(Value value, uint32_t budget);

uint32_t share_of(uint32_t budget, size_t items) {
  if (items == 0) return 0;
  const auto share = static_cast<uint32_t>((budget - 1) / items);
  return budget == kHashedParts ? std::max(share, kHashedPartsOfItem) : share;
}

uint32_t hash_of_items(std::span<const Value> items, uint32_t budget) {
  uint32_t hash = mix(items.size() + 0xa77a);
  if (budget == 0) return hash;
  const uint32_t share = share_of(budget, items.size());
  // When there are more items than the budget, the first and the last ones are used.
  const size_t most = budget == kHashedParts ? items.size() : budget;
  for (size_t i = 0; i < items.size(); ++i) {
    if (items.size() > most && i == most / 2) i = items.size() - most / 2;
    if (i >= items.size()) break;
    hash = mix((uint64_t{hash} << 32) | hash_to_budget(items[i], share));
  }
  return hash;
}

uint32_t hash_of_entries(const HashObject& object, uint32_t budget) {
  uint32_t hash = mix(object.size + 0x4a54);
  if (budget == 0 || (budget < kHashedParts && object.size > budget)) return hash;
  const uint32_t share = share_of(budget, object.size);
  // A sum, because the order does not matter.
  for (const HashEntry& entry : object) {
    hash += mix((uint64_t{hash_to_budget(entry.key, share)} << 32) |
                hash_to_budget(entry.value, share));
  }
  return hash;
}

uint32_t hash_of_version(const SemVer& version) {
  const uint32_t hash =
      mix(static_cast<uint64_t>(version.major) * 31 + static_cast<uint64_t>(version.minor)) ^
      mix(static_cast<uint64_t>(version.patch) + version.prerelease.size());
  return hash ^ hash_of_items(version.prerelease, kHashedPartsOfItem) ^
         mix(hash_of_items(version.build, kHashedPartsOfItem));
}

uint32_t hash_of_range(const SemVerRange& range) {
  uint32_t hash = mix(range.alternatives.size());
  if (range.alternatives.empty()) return hash;
  const SemVerInterval& first = range.alternatives.front();
  for (const SemVer* bound : {first.min, first.max}) {
    if (bound != nullptr) hash = mix((uint64_t{hash} << 32) | hash_of_version(*bound));
  }
  return hash;
}

uint32_t hash_of_uri(const Uri& uri) {
  uint32_t hash = 0;
  for (const std::string_view part :
       {uri.scheme, uri.host, uri.port, uri.path, uri.query, uri.opaque}) {
    hash = mix((uint64_t{hash} << 32) | hash_of_text(part));
  }
  return hash;
}

// The hash of an object: by its type and its compared attributes.
uint32_t hash_of_object(const ObjectInstance& object, uint32_t budget) {
  uint32_t hash = hash_of_object(object);
  if (budget == 0) return hash;
  const std::vector<Value> compared = compared_values(object);
  for (const Value value : compared) {
    hash = mix((uint64_t{hash} << 32) | hash_to_budget(value, share_of(budget, compared.size())));
  }
  return hash;
}

uint32_t chained(uint32_t hash, uint64_t part) {
  return mix((uint64_t{hash} << 32) ^ part ^ (part >> 31));
}

uint32_t chained(uint32_t hash, IntegerRange range) {
  return chained(chained(hash, static_cast<uint64_t>(range.from)), static_cast<uint64_t>(range.to));
}

uint32_t hash_of_type(const Type* type, int levels);

uint32_t chained(uint32_t hash, const Type* contained, int levels) {
  return contained == nullptr ? hash : chained(hash, hash_of_type(contained, levels));
}

// Combines the hashes of items whose order and repetitions do not matter.
template <typename Items, typename Hash>
uint32_t chained_set(uint32_t hash, const Items& items, Hash hash_of_item) {
  uint32_t least = UINT32_MAX, greatest = 0;
  for (const auto& item : items) {
    const uint32_t one = hash_of_item(item);
    least = std::min(least, one);
    greatest = std::max(greatest, one);
  }
  return chained(chained(hash, least), greatest);
}

uint32_t hash_of_leaf(const Type* type, uint32_t hash) {
  switch (type->kind) {
    case TypeKind::kResource: {
      const auto& resource = type->as<ResourceType>();
      hash = chained(hash, resource.key.hash());
      return resource.title == nullptr ? hash : chained(hash, hash_of_text(*resource.title));
    }
    case TypeKind::kClass:
      return chained(hash, type->as<ClassType>().class_name.hash());
    case TypeKind::kInteger:
      return chained(hash, type->as<IntegerType>().range);
    case TypeKind::kFloat:
      return chained(chained(hash, hash_of_float(type->as<FloatType>().from)),
                     hash_of_float(type->as<FloatType>().to));
    case TypeKind::kString: {
      const auto& string = type->as<StringType>();
      return string.value == nullptr ? chained(hash, string.size)
                                     : chained(hash, hash_of_text(*string.value));
    }
    case TypeKind::kRegexp: {
      const std::string_view* pattern = type->as<RegexpType>().pattern;
      return pattern == nullptr ? hash : chained(hash, hash_of_text(*pattern));
    }
    case TypeKind::kPattern:
      return chained_set(hash, type->as<PatternType>().patterns, hash_of_text);
    case TypeKind::kEnum:
      for (const std::string_view value : type->as<EnumType>().values) {
        hash = chained(hash, hash_of_text(value));
      }
      return hash;
    case TypeKind::kTimespan:
      return chained(hash, type->as<TimespanType>().range);
    case TypeKind::kTimestamp:
      return chained(hash, type->as<TimestampType>().range);
    default:
      return hash;
  }
}

// The depth to which nested types enter a hash.
constexpr int kHashedLevels = 4;

// A hash from the cheap properties of a type; the same types have the same hash.
uint32_t hash_of_type(const Type* type, int levels) {
  uint32_t hash = mix(static_cast<uint64_t>(type->kind) + 0x7f9e);
  if (levels == 0) return hash;
  --levels;
  switch (type->kind) {
    case TypeKind::kArray:
      hash = chained(hash, type->as<ArrayType>().size);
      return chained(hash, type->as<ArrayType>().element, levels);
    case TypeKind::kHash:
      hash = chained(hash, type->as<HashType>().size);
      hash = chained(hash, type->as<HashType>().key, levels);
      return chained(hash, type->as<HashType>().value, levels);
    case TypeKind::kTuple:
      for (const Type* element : type->as<TupleType>().types) {
        hash = chained(hash, element, levels);
      }
      return hash;
    case TypeKind::kStruct:
      for (const StructElement& element : type->as<StructType>().elements) {
        hash = chained(chained(hash, hash_of_text(element.name)), element.value, levels);
      }
      return hash;
    case TypeKind::kVariant:
      return chained_set(hash, type->as<VariantType>().types,
                         [levels](const Type* one) { return hash_of_type(one, levels); });
    case TypeKind::kType:
      return chained(hash, type->as<TypeType>().contained, levels);
    case TypeKind::kOptional:
      return chained(hash, type->as<OptionalType>().contained, levels);
    default:
      return hash_of_leaf(type, hash);
  }
}

uint32_t hash_to_budget(Value value, uint32_t budget) {
  switch (value.kind()) {
    case ValueKind::kUndef:
      return 0x1d872b41;
    case ValueKind::kDefault:
      return 0x4c6a7e11;
    case ValueKind::kBoolean:
      return value.as_boolean() ? 0x6b1f9f35 : 0x2f8d1e67;
    case ValueKind::kInteger:
      return mix(static_cast<uint64_t>(value.as_integer()));
    case ValueKind::kFloat:
      return hash_of_float(value.as_float());
    case ValueKind::kString:
      return hash_of_text(value.as_string());
    case ValueKind::kRegexp:
      return hash_of_text(value.as_regexp()) ^ 0x5e9e;
    case ValueKind::kBinary:
      return hash_of_text(value.as_binary()) ^ 0xb17a;
    case ValueKind::kArray:
      return hash_of_items(value.as_array(), budget);
    case ValueKind::kHash:
      return hash_of_entries(value.as_hash(), budget);
    case ValueKind::kType:
      return hash_of_type(value.as_type(), kHashedLevels);
    case ValueKind::kSensitive:
      return budget == 0 ? 0x5e45
                         : mix(hash_to_budget(value.as_sensitive(), share_of(budget, 1)) ^ 0x5e45);
    case ValueKind::kTimestamp:
      return mix(static_cast<uint64_t>(value.as_timestamp()) ^ 0x7157);
    case ValueKind::kTimespan:
      return mix(static_cast<uint64_t>(value.as_timespan()) ^ 0x7159);
    case ValueKind::kSemVer:
      return hash_of_version(value.as_sem_ver());
    case ValueKind::kSemVerRange:
      return hash_of_range(value.as_sem_ver_range());
    case ValueKind::kUri:
      return hash_of_uri(value.as_uri());
    case ValueKind::kIterator:
      return mix(reinterpret_cast<uintptr_t>(&value.as_iterator()));
    case ValueKind::kObject:
      return hash_of_object(value.as_object(), budget);
    case ValueKind::kControl:
      return 0;
  }
  return 0;
}

bool same_optional(std::string_view a, std::string_view b) {
  return a == b && (a.data() == nullptr) == (b.data() == nullptr);
}

bool same_uri(const Uri& a, const Uri& b) {
  return same_optional(a.scheme, b.scheme) && same_optional(a.userinfo, b.userinfo) &&
         same_optional(a.host, b.host) && same_optional(a.port, b.port) &&
         same_optional(a.path, b.path) && same_optional(a.query, b.query) &&
         same_optional(a.fragment, b.fragment) && same_optional(a.opaque, b.opaque);
}

bool same_parts(std::span<const Value> a, std::span<const Value> b) {
  return std::ranges::equal(a, b, [](Value x, Value y) { return identical(x, y); });
}

bool same_version(const SemVer& a, const SemVer& b) {
  return a.major == b.major && a.minor == b.minor && a.patch == b.patch &&
         same_parts(a.prerelease, b.prerelease) && same_parts(a.build, b.build);
}

bool same_bound(const SemVer* a, const SemVer* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return same_version(*a, *b);
}

bool same_interval(const SemVerInterval& a, const SemVerInterval& b) {
  return same_bound(a.min, b.min) && same_bound(a.max, b.max) && a.exclude_min == b.exclude_min &&
         a.exclude_max == b.exclude_max;
}

bool same_range(const SemVerRange& a, const SemVerRange& b) {
  return std::ranges::equal(a.alternatives, b.alternatives, same_interval);
}

// A comparison of two values. Parts that were found to be the same are not compared again.
struct Comparison {
  Nesting nesting;
  SharedParts<bool> same;
};

// The current comparison of the thread, if any: keys of hashes and attributes of objects are
// compared by functions that start anew, and would not be limited otherwise.
thread_local Comparison* comparison_in_progress = nullptr;

// Calls `compare` with the current comparison, or a new one.
template <typename Compare>
bool within_comparison(Compare compare) {
  if (comparison_in_progress != nullptr) return compare(*comparison_in_progress);
  Comparison comparison;
  const struct Reset {
    ~Reset() { comparison_in_progress = nullptr; }
  } reset;
  comparison_in_progress = &comparison;
  return compare(comparison);
}

bool identical_at(Value a, Value b, Comparison& comparison);

// Returns the result of `compare`, unless the two are known to be the same.
template <typename Compare>
bool compare_parts(Value a, Value b, Comparison& comparison, Compare compare) {
  const NestingGuard guard(comparison.nesting, "a value");
  const SharedParts<bool>::Pair pair{part_identity(a), part_identity(b)};
  if (comparison.same.find(comparison.nesting, pair) != nullptr) return true;
  if (!compare()) return false;
  comparison.same.remember(comparison.nesting, pair, true);
  return true;
}

bool identical_arrays(Value x, Value y, Comparison& comparison) {
  std::span<const Value> a = x.as_array(), b = y.as_array();
  if (a.size() != b.size()) return false;
  if (a.data() == b.data()) return true;
  return compare_parts(x, y, comparison, [&] {
    for (size_t i = 0; i < a.size(); ++i) {
      if (!identical_at(a[i], b[i], comparison)) return false;
    }
    return true;
  });
}

bool identical_hashes(Value x, Value y, Comparison& comparison) {
  const HashObject &a = x.as_hash(), &b = y.as_hash();
  if (&a == &b) return true;
  if (a.size != b.size) return false;
  return compare_parts(x, y, comparison, [&] {
    return std::ranges::all_of(a, [&](const HashEntry& entry) {
      const Value* other = b.find(entry.key);
      return other != nullptr && identical_at(entry.value, *other, comparison);
    });
  });
}

bool identical_at(Value a, Value b, Comparison& comparison) {
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case ValueKind::kUndef:
    case ValueKind::kDefault:
      return true;
    case ValueKind::kBoolean:
      return a.as_boolean() == b.as_boolean();
    case ValueKind::kInteger:
      return a.as_integer() == b.as_integer();
    case ValueKind::kFloat:
      return a.as_float() == b.as_float();
    case ValueKind::kString:
      return a.as_string() == b.as_string();
    case ValueKind::kRegexp:
      return a.as_regexp() == b.as_regexp();
    case ValueKind::kBinary:
      return a.as_binary() == b.as_binary();
    case ValueKind::kArray:
      return identical_arrays(a, b, comparison);
    case ValueKind::kHash:
      return identical_hashes(a, b, comparison);
    case ValueKind::kType:
      return same_type(a.as_type(), b.as_type());
    case ValueKind::kSensitive: {
      const NestingGuard guard(comparison.nesting, "a value");
      return identical_at(a.as_sensitive(), b.as_sensitive(), comparison);
    }
    case ValueKind::kTimestamp:
      return a.as_timestamp() == b.as_timestamp();
    case ValueKind::kTimespan:
      return a.as_timespan() == b.as_timespan();
    case ValueKind::kSemVer:
      return same_version(a.as_sem_ver(), b.as_sem_ver());
    case ValueKind::kSemVerRange:
      return same_range(a.as_sem_ver_range(), b.as_sem_ver_range());
    case ValueKind::kUri:
      return same_uri(a.as_uri(), b.as_uri());
    case ValueKind::kIterator:
      return &a.as_iterator() == &b.as_iterator();
    case ValueKind::kObject:
      return compare_parts(a, b, comparison,
                           [&] { return same_object(a.as_object(), b.as_object()); });
    case ValueKind::kControl:
      return a.as_control() == b.as_control();
  }
  return false;
}

bool same_ignoring_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  if (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0) return true;
  for (size_t i = 0; i < a.size(); ++i) {
    if (to_lower(a[i]) != to_lower(b[i])) return false;
  }
  return true;
}

// Exact, also for an integer without an equal double.
bool integer_equals_float(int64_t integer, double floating) {
  if (floating < -9223372036854775808.0 || floating >= 9223372036854775808.0) return false;
  return std::floor(floating) == floating && static_cast<int64_t>(floating) == integer;
}

bool equal_at(Value a, Value b, Comparison& comparison);

bool equal_of_different_kinds(Value a, Value b) {
  if (a.is_integer() && b.is_float()) return integer_equals_float(a.as_integer(), b.as_float());
  if (a.is_float() && b.is_integer()) return integer_equals_float(b.as_integer(), a.as_float());
  // A time equals a number of seconds; an integer equals it when its whole seconds do.
  if ((is_time(a) && b.is_numeric()) || (is_time(b) && a.is_numeric())) {
    return compare_times(a, b) == 0;
  }
  return false;
}

bool equal_arrays(Value x, Value y, Comparison& comparison) {
  std::span<const Value> a = x.as_array(), b = y.as_array();
  if (a.size() != b.size()) return false;
  return compare_parts(x, y, comparison, [&] {
    for (size_t i = 0; i < a.size(); ++i) {
      if (!equal_at(a[i], b[i], comparison)) return false;
    }
    return true;
  });
}

bool equal_hashes(Value x, Value y, Comparison& comparison) {
  const HashObject &a = x.as_hash(), &b = y.as_hash();
  if (a.size != b.size) return false;
  return compare_parts(x, y, comparison, [&] {
    return std::ranges::all_of(a, [&](const HashEntry& entry) {
      const Value* other = b.find(entry.key);
      // As in the reference, an absent key equals one with undef.
      return equal_at(other == nullptr ? Value::undef() : *other, entry.value, comparison);
    });
  });
}

bool equal_at(Value a, Value b, Comparison& comparison) {
  if (a.kind() != b.kind()) return equal_of_different_kinds(a, b);
  switch (a.kind()) {
    case ValueKind::kString:
      return same_ignoring_case(a.as_string(), b.as_string());
    case ValueKind::kArray:
      return equal_arrays(a, b, comparison);
    case ValueKind::kHash:
      return equal_hashes(a, b, comparison);
    case ValueKind::kUri:
      return same(a.as_uri(), b.as_uri());
    default:
      return identical_at(a, b, comparison);
  }
}

}  // namespace

bool identical(Value a, Value b) {
  if (a.is_string() && b.is_string()) return a.as_string() == b.as_string();
  return within_comparison([&](Comparison& comparison) { return identical_at(a, b, comparison); });
}

bool equal(Value a, Value b) {
  if (a.is_string() && b.is_string()) return same_ignoring_case(a.as_string(), b.as_string());
  return within_comparison([&](Comparison& comparison) { return equal_at(a, b, comparison); });
}

uint32_t hash_of(Value value) {
  return hash_to_budget(value, kHashedParts);
}

uint32_t hash_of_text(std::string_view text) {
  return static_cast<uint32_t>(text_hash(text));
}

}  // namespace bunraku
