// Tests whether a value is an instance of a type, without inferring the value's type, because every
// call with typed parameters needs the test.

#include <algorithm>
#include <charconv>
#include <string>

#include "base/regex/regex.h"
#include "base/text/short_text.h"
#include "base/text/utf8.h"
#include "types/built_in_types.h"
#include "types/enum_growth.h"
#include "types/matching.h"
#include "types/recursion.h"
#include "types/relation_parts.h"
#include "types/relations.h"
#include "types/type_text.h"
#include "values/bounds.h"
#include "values/foreign_object.h"
#include "values/object.h"
#include "values/sem_ver.h"
#include "values/shared_parts.h"
#include "values/type.h"
#include "values/uri.h"

namespace bunraku {
namespace {

bool same_ignoring_ascii_case(std::string_view a, std::string_view b) {
  auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::equal(a, b, [&](char x, char y) { return lower(x) == lower(y); });
}

bool is_of_sized_string(const StringType& type, std::string_view text) {
  if (type.value != nullptr) return *type.value == text;
  // The number of bytes bounds that of characters, so that counting is rarely needed.
  if (type.size.to == kMaxInteger && size_from(type.size) <= 1) {
    return size_from(type.size) == 0 || !text.empty();
  }
  return contains_size(type.size, character_count(text));
}

[[gnu::always_inline]] inline bool is_string_instance(const StringType& type, Value value) {
  if (!value.is_string()) return false;
  const bool is_plain = type.value == nullptr && !is_size_given(type.size);
  return is_plain || is_of_sized_string(type, value.as_string());
}

bool is_scalar(Value value) {
  switch (value.kind()) {
    case ValueKind::kBoolean:
    case ValueKind::kInteger:
    case ValueKind::kFloat:
    case ValueKind::kString:
    case ValueKind::kRegexp:
    case ValueKind::kTimestamp:
    case ValueKind::kTimespan:
    case ValueKind::kSemVer:
    case ValueKind::kSemVerRange:
      return true;
    default:
      return false;
  }
}

bool is_scalar_data(Value value) {
  return value.is_string() || value.is_numeric() || value.is_boolean();
}

bool contains_integer(IntegerRange range, int64_t value) {
  return range.from <= value && value <= range.to;
}

[[gnu::always_inline]] inline bool is_integer_instance(const IntegerType& type, Value value) {
  return value.is_integer() && contains_integer(type.range, value.as_integer());
}

bool is_version_instance(const SemVerType& type, const SemVer& version) {
  return type.ranges.empty() || std::ranges::any_of(type.ranges, [&](const SemVerRange* range) {
           return includes(*range, version);
         });
}

// Returns a part of a URI by its name; undef when it is absent.
Value uri_part(const Uri& uri, std::string_view name) {
  std::string_view part;
  if (name == "scheme") part = uri.scheme;
  if (name == "userinfo") part = uri.userinfo;
  if (name == "host") part = uri.host;
  if (name == "path") part = uri.path;
  if (name == "query") part = uri.query;
  if (name == "fragment") part = uri.fragment;
  if (name == "opaque") part = uri.opaque;
  if (name == "port") {
    const std::string_view port = uri.port.empty() ? default_port(downcase(uri.scheme)) : uri.port;
    if (port.empty()) return Value::undef();
    int64_t number = 0;
    std::from_chars(port.data(), port.data() + port.size(), number);
    return Value::integer(number);
  }
  return part.data() == nullptr ? Value::undef() : Value::string(part);
}

bool is_uri_instance(const UriType& type, const Uri& uri) {
  if (!type.parameters.is_hash()) return true;
  for (const HashEntry& wanted : type.parameters.as_hash()) {
    if (!matches_pattern(uri_part(uri, wanted.key.as_string()), wanted.value)) return false;
  }
  return true;
}

bool is_object_instance(const ObjectType& type, Value value) {
  if (!value.is_object()) {
    // Types are objects of Pcore's own types.
    return value.is_type() && is_assignable(&type, types::kObject);
  }
  const ObjectInstance& object = value.as_object();
  if (as_foreign(object) != nullptr) return false;
  const ObjectType* plain = type.base != nullptr ? type.base : &type;
  return is_assignable(plain, object_type_of(object.type)) &&
         (type.base == nullptr || parameters_match(type, object));
}

bool is_plain_iterable(Value value) {
  switch (value.kind()) {
    case ValueKind::kIterator:
    case ValueKind::kString:
    case ValueKind::kHash:
    case ValueKind::kArray:
      return true;
    case ValueKind::kInteger:
      return value.as_integer() >= 0;
    case ValueKind::kType: {
      const Type* type = resolve_alias(value.as_type());
      if (type->kind == TypeKind::kEnum) return true;
      const auto* integer = type->try_as<IntegerType>();
      return integer != nullptr && integer->range.from != kMinInteger &&
             integer->range.to != kMaxInteger;
    }
    default:
      return false;
  }
}

// The identity of a value on the way down a recursion.
const void* identity_of(Value value) {
  switch (value.kind()) {
    case ValueKind::kArray:
      return value.as_array().data();
    case ValueKind::kHash:
      return &value.as_hash();
    case ValueKind::kObject:
      return &value.as_object();
    case ValueKind::kIterator:
      return &value.as_iterator();
    case ValueKind::kString:
      return value.as_string().data();
    case ValueKind::kType:
      return value.as_type();
    default:
      // Others contain no values, so they end the recursion; one identity per kind is enough.
      static constexpr char kKinds[32] = {};
      return &kKinds[static_cast<size_t>(value.kind())];
  }
}

class InstanceCheck {
 public:
  // The most frequent kinds are tested inline, in the loops over items; the rest by a call.
  [[gnu::always_inline]] bool is(const Type* type, Value value) {
    if (type->kind == TypeKind::kString) return is_string_instance(type->as<StringType>(), value);
    if (type->kind == TypeKind::kInteger) {
      return is_integer_instance(type->as<IntegerType>(), value);
    }
    if (type->kind == TypeKind::kArray) return is_array(type->as<ArrayType>(), value);
    if (type->kind == TypeKind::kHash) return is_hash(type->as<HashType>(), value);
    if (type->kind == TypeKind::kStruct) return is_struct(type->as<StructType>(), value);
    return is_of(type, value);
  }

 private:
  bool is_of(const Type* type, Value value) {
    switch (type->kind) {
      case TypeKind::kAny:
      case TypeKind::kUnit:
        return true;
      case TypeKind::kUndef:
        return value.is_undef();
      case TypeKind::kDefault:
        return value.is_default();
      case TypeKind::kScalar:
        return is_scalar(value);
      case TypeKind::kScalarData:
        return is_scalar_data(value);
      case TypeKind::kNumeric:
        return value.is_numeric();
      case TypeKind::kFloat: {
        const auto& range = type->as<FloatType>();
        return value.is_float() && value.as_float() >= range.from && value.as_float() <= range.to;
      }
      case TypeKind::kBoolean: {
        const int8_t wanted = type->as<BooleanType>().value;
        return value.is_boolean() && (wanted < 0 || (wanted != 0) == value.as_boolean());
      }
      case TypeKind::kEnum:
        return value.is_string() && enum_contains(type->as<EnumType>(), value.as_string());
      case TypeKind::kPattern:
        return value.is_string() && any_pattern_matches(type->as<PatternType>(), value.as_string());
      case TypeKind::kRegexp: {
        const std::string_view* wanted = type->as<RegexpType>().pattern;
        return value.is_regexp() && (wanted == nullptr || *wanted == value.as_regexp());
      }
      case TypeKind::kOptional: {
        const Type* contained = type->as<OptionalType>().contained;
        return value.is_undef() || (contained != nullptr && is_within(contained, value));
      }
      case TypeKind::kNotUndef: {
        const Type* contained = type->as<NotUndefType>().contained;
        return !value.is_undef() && (contained == nullptr || is_within(contained, value));
      }
      case TypeKind::kBinary:
        return value.is(ValueKind::kBinary);
      case TypeKind::kSemVerRange:
        return value.is(ValueKind::kSemVerRange);
      case TypeKind::kTimespan:
        return value.is(ValueKind::kTimespan) &&
               contains_integer(type->as<TimespanType>().range, value.as_timespan());
      case TypeKind::kTimestamp:
        return value.is(ValueKind::kTimestamp) &&
               contains_integer(type->as<TimestampType>().range, value.as_timestamp());
      case TypeKind::kSemVer:
        return value.is(ValueKind::kSemVer) &&
               is_version_instance(type->as<SemVerType>(), value.as_sem_ver());
      case TypeKind::kUri:
        return value.is(ValueKind::kUri) && is_uri_instance(type->as<UriType>(), value.as_uri());
      case TypeKind::kObject:
        if (value.is_type() && is_given_reference(value.as_type())) return false;
        return is_object_instance(type->as<ObjectType>(), value);
      case TypeKind::kTypeSet:
        return value.is_type() && value.as_type()->kind == TypeKind::kTypeSet;
      default:
        return is_within(type, value);
    }
  }

  // The kinds that test contained values.
  [[gnu::noinline]] bool is_within(const Type* type, Value value) {
    const NestingGuard guard(nesting_, "a value");
    switch (type->kind) {
      case TypeKind::kCollection: {
        const IntegerRange size = type->as<CollectionType>().size;
        if (value.is_array()) return contains_size(size, value.as_array().size());
        return value.is_hash() && contains_size(size, value.as_hash().size);
      }
      case TypeKind::kTuple:
        return is_tuple(type->as<TupleType>(), value);
      case TypeKind::kVariant: {
        const auto& types = type->as<VariantType>().types;
        return std::ranges::any_of(types, [&](const Type* option) { return is(option, value); });
      }
      case TypeKind::kSensitive: {
        const Type* contained = type->as<SensitiveType>().contained;
        return value.is_sensitive() &&
               (contained == nullptr || is(contained, value.as_sensitive()));
      }
      case TypeKind::kType: {
        const Type* contained = type->as<TypeType>().contained;
        return value.is_type() &&
               (contained == nullptr || is_assignable(contained, value.as_type()));
      }
      case TypeKind::kIterable:
        return is_iterable_of(type->as<IterableType>(), value);
      case TypeKind::kIterator: {
        const Type* contained = type->as<IteratorType>().contained;
        if (!value.is_iterator()) return false;
        if (contained == nullptr) return true;
        const Type* element = value.as_iterator().element_type();
        return element != nullptr && is_assignable(contained, element);
      }
      case TypeKind::kInit:
        return init_takes(type->as<InitType>(), value);
      case TypeKind::kTypeAlias:
        return is_alias(type->as<TypeAliasType>(), value);
      case TypeKind::kRuntime:
        return foreign_object(value) != nullptr && is_assignable(type, value.as_object().type);
      case TypeKind::kCatalogEntry:
      case TypeKind::kClass:
      case TypeKind::kResource:
      case TypeKind::kCallable:
      case TypeKind::kTypeReference:
        return false;  // these have no instances
      default:
        return is(type, value);
    }
  }

  // Returns the result of `check` for a container, stored for repeated parts. A value never
  // contains itself, so the result does not depend on the path.
  template <typename Check>
  bool is_known(const Type* type, Value value, Check check) {
    const NestingGuard guard(nesting_, "a value");
    const SharedParts<bool>::Pair pair{part_identity(value), {type}};
    if (const bool* known = known_.find(nesting_, pair)) return *known;
    const bool result = check();
    known_.remember(nesting_, pair, result);
    return result;
  }

  // Returns whether instances are recognized without testing contained values.
  static bool is_flat(const Type* type) {
    return type->kind == TypeKind::kString || type->kind == TypeKind::kInteger;
  }

  [[gnu::noinline]] bool is_array(const ArrayType& type, Value value) {
    if (!value.is_array()) return false;
    std::span<const Value> items = value.as_array();
    if (!contains_size(type.size, items.size())) return false;
    if (type.element->kind == TypeKind::kAny) return true;
    const auto check = [&]() __attribute__((always_inline)) {
      for (const Value item : items) {
        if (!is(type.element, item)) return false;
      }
      return true;
    };
    return is_flat(type.element) ? check() : is_known(&type, value, check);
  }

  [[gnu::noinline]] bool is_hash(const HashType& type, Value value) {
    if (!value.is_hash()) return false;
    const HashObject& hash = value.as_hash();
    if (!contains_size(type.size, hash.size)) return false;
    if (type.key->kind == TypeKind::kAny && type.value->kind == TypeKind::kAny) return true;
    const auto check = [&]() __attribute__((always_inline)) {
      for (const HashEntry& entry : hash) {
        if (!is(type.key, entry.key) || !is(type.value, entry.value)) return false;
      }
      return true;
    };
    return is_flat(type.key) && is_flat(type.value) ? check() : is_known(&type, value, check);
  }

  bool is_tuple(const TupleType& type, Value value) {
    if (!value.is_array()) return false;
    std::span<const Value> items = value.as_array();
    if (!contains_size(type.size, items.size())) return false;
    if (type.types.empty()) return true;
    return is_known(&type, value, [&] {
      for (size_t i = 0; i < items.size(); ++i) {
        const Type* wanted = i < type.types.size() ? type.types[i] : type.types.back();
        if (!is(wanted, items[i])) return false;
      }
      return true;
    });
  }

  // Most hashes have the order of their type.
  static const Value* find_near(const HashObject& hash, size_t position, std::string_view key) {
    if (position < hash.size) {
      const HashEntry& entry = hash.entries[position];
      if (entry.key.is_string() && same_short_text(entry.key.as_string(), key)) return &entry.value;
    }
    return hash.find(key);
  }

  [[gnu::noinline]] bool is_struct(const StructType& type, Value value) {
    if (!value.is_hash()) return false;
    return is_known(&type, value, [&] { return has_members(type, value.as_hash()); });
  }

  bool has_members(const StructType& type, const HashObject& hash) {
    size_t matched = 0;
    for (const StructElement& element : type.elements) {
      const Value* found = find_near(hash, matched, element.name);
      if (found == nullptr) {
        if (element.key->kind != TypeKind::kOptional) return false;
        continue;
      }
      ++matched;
      if (!is(element.value, *found)) return false;
    }
    return matched == hash.size;
  }

  bool is_iterable_of(const IterableType& type, Value value) {
    if (type.contained == nullptr || is_assignable(type.contained, types::kAny)) {
      return is_plain_iterable(value);
    }
    Arena scratch;
    return is_assignable(&type, infer(scratch, value));
  }

  bool is_alias(const TypeAliasType& type, Value value) {
    const Type* wanted = resolved_type(type);
    if (!type.is_recursive) return is(wanted, value);
    // Data and RichData descend with every step; without an active guard they need none.
    const bool is_built_in = type.program == nullptr;
    if (is_built_in && guard_.is_idle()) return is(wanted, value);
    return guard_.with_that(identity_of(value), [&] {
      return guard_.with_this(&type,
                              [&](bool both_repeat) { return !both_repeat && is(wanted, value); });
    });
  }

  Nesting nesting_;
  SharedParts<bool> known_;
  RecursionGuard guard_;
};

}  // namespace

bool enum_contains(const EnumType& type, std::string_view text) {
  if (const EnumIndex* index = EnumGrowth::index_of(type)) {
    return index->contains(text, type.values.size());
  }
  if (!type.case_insensitive) {
    return std::ranges::binary_search(type.values, text);
  }
  return std::ranges::any_of(
      type.values, [&](std::string_view value) { return same_ignoring_ascii_case(value, text); });
}

bool any_pattern_matches(const PatternType& type, std::string_view text) {
  return type.patterns.empty() || std::ranges::any_of(type.patterns, [&](std::string_view source) {
           return Regex::compile_at_run_time(source)->matches(text);
         });
}

Value uri_parameters(Arena& arena, const Uri& uri) {
  HashBuilder parts(arena, 8);
  auto add = [&](std::string_view name, std::string_view text) {
    parts.set(name, Value::string(arena, text));
  };
  const std::string scheme = downcase(uri.scheme);
  if (uri.scheme.data() != nullptr) add("scheme", scheme);
  if (uri.userinfo.data() != nullptr) add("userinfo", uri.userinfo);
  if (!uri.host.empty()) add("host", downcase(uri.host));
  const std::string_view port = uri.port.empty() ? default_port(scheme) : uri.port;
  const bool is_implied =
      (scheme == "http" && port == "80") || (scheme == "https" && port == "443");
  if (!port.empty() && !is_implied) add("port", port);
  if (!uri.path.empty()) add("path", uri.path);
  if (uri.query.data() != nullptr) add("query", uri.query);
  if (uri.fragment.data() != nullptr) add("fragment", uri.fragment);
  if (uri.opaque.data() != nullptr) add("opaque", uri.opaque);
  return parts.size() == 0 ? Value::undef() : parts.finish();
}

bool parameters_match(const ObjectType& wanted, const ObjectInstance& instance) {
  const ObjectType& base = *wanted.base;
  for (size_t i = 0; i < wanted.parameter_values.size(); ++i) {
    const Value pattern = wanted.parameter_values[i];
    if (pattern.is_default()) continue;
    const Value* value = find_attribute(instance, type_parameter_name(base, i));
    if (value == nullptr || !matches_pattern(*value, pattern)) return false;
  }
  return true;
}

bool parameters_match(const ObjectType& wanted, const ObjectType& given) {
  for (size_t i = 0; i < wanted.parameter_values.size(); ++i) {
    const Value pattern = wanted.parameter_values[i];
    if (pattern.is_default()) continue;
    if (given.base == nullptr || i >= given.parameter_values.size()) return false;
    const Value value = given.parameter_values[i];
    if (value.is_default()) return false;
    const bool both_types = value.is_type() && pattern.is_type();
    if (!matches_pattern(value, pattern) &&
        !(both_types && is_assignable(pattern.as_type(), value.as_type()))) {
      return false;
    }
  }
  return true;
}

bool is_instance(const Type* type, Value value) {
  // A fast path for the most frequent parameter types, without the set-up for contained values.
  switch (type->kind) {
    case TypeKind::kAny:
      return true;
    case TypeKind::kNumeric:
      return value.is_numeric();
    case TypeKind::kInteger:
      return is_integer_instance(type->as<IntegerType>(), value);
    case TypeKind::kString:
      return is_string_instance(type->as<StringType>(), value);
    default:
      return InstanceCheck().is(type, value);
  }
}

}  // namespace bunraku
