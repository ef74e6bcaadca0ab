#include "types/type_keys.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/regex/regex.h"
#include "base/text/number_text.h"
#include "types/built_in_types.h"
#include "types/object_init.h"
#include "types/object_schema.h"
#include "types/relation_parts.h"
#include "types/relations.h"
#include "types/ruby_value_text.h"
#include "types/type_error.h"
#include "types/type_text.h"
#include "values/sem_ver.h"
#include "values/time_arithmetic.h"
#include "values/timespan.h"
#include "values/timestamp.h"
#include "values/uri.h"

namespace bunraku {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool is_open(Value bound) {
  return bound.is_undef() || bound.is_default() ||
         (bound.is_string() && bound.as_string() == "default");
}

[[noreturn]] void fail_order(const std::string& from, const std::string& to) {
  fail_with(Issue::kInvalidTypeParameter,
            {"'from' must be less or equal to 'to'. Got (" + from + ", " + to});
}

// A value in place of a type means its own type; a string means a Ruby class.
const Type* type_of_key(Arena& arena, Value key) {
  if (key.is_type()) return key.as_type();
  if (key.is_string()) return runtime_type(arena, Value::string("ruby"), key);
  return generalize(arena, infer(arena, key));
}

}  // namespace

void check_pattern(std::string_view source) {
  try {
    (void)Regex::compile_at_run_time(source);
  } catch (const RegexError& error) {
    fail_with(Issue::kInvalidPattern, {error.what()});
  }
}

IntegerRange range_of(Value from, Value to) {
  IntegerRange range;
  if (!is_open(from)) range.from = from.as_integer();
  if (!is_open(to)) range.to = to.as_integer();
  if (range.from > range.to) {
    fail_order(std::to_string(range.from), std::to_string(range.to));
  }
  return range;
}

IntegerRange as_given_size(IntegerRange range) {
  return range.from <= 0 && range.to == kMaxInteger ? kGivenAnySize : range;
}

bool is_range_key(Value key) {
  return key.is_integer() || key.is_default() || (key.is_string() && key.as_string() == "default");
}

std::optional<IntegerRange> take_size(std::vector<Value>& keys) {
  const size_t count = keys.size();
  if (count >= 2 && is_range_key(keys[count - 2]) && is_range_key(keys[count - 1])) {
    IntegerRange size = as_given_size(range_of(keys[count - 2], keys[count - 1]));
    keys.resize(count - 2);
    return size;
  }
  if (count >= 1 && is_range_key(keys[count - 1])) {
    IntegerRange size = as_given_size(range_of(keys[count - 1], Value::undef()));
    keys.resize(count - 1);
    return size;
  }
  return std::nullopt;
}

const Type* boolean_type(Arena& arena, bool value) {
  return arena.make<BooleanType>(BooleanType{{{TypeKind::kBoolean}}, static_cast<int8_t>(value)});
}

const Type* float_range(Arena& arena, Value from, Value to) {
  auto as_number = [](Value bound, double open) {
    if (is_open(bound)) return open;
    return bound.is_float() ? bound.as_float() : static_cast<double>(bound.as_integer());
  };
  const double least = as_number(from, -kInfinity);
  const double most = as_number(to, kInfinity);
  if (least > most) fail_order(float_text(least), float_text(most));
  return types::floating(arena, least, most);
}

const Type* pattern_type(Arena& arena, std::span<const Value> keys) {
  std::vector<std::string_view> sources;
  for (const Value key : keys) {
    if (key.is_string()) {
      check_pattern(key.as_string());
      sources.push_back(key.as_string());
    } else if (key.is_regexp()) {
      sources.push_back(key.as_regexp());
    } else if (const auto* regexp = key.as_type()->try_as<RegexpType>()) {
      sources.push_back(regexp->pattern == nullptr ? std::string_view() : *regexp->pattern);
    } else {
      const auto& more = key.as_type()->as<PatternType>().patterns;
      sources.insert(sources.end(), more.begin(), more.end());
    }
  }
  return types::pattern(arena, sources);
}

namespace {

const std::string_view* text_of_key_type(const Type* type) {
  if (type == nullptr) return nullptr;
  if (const auto* string = type->try_as<StringType>()) return string->value;
  const auto* enumeration = type->try_as<EnumType>();
  const bool is_single = enumeration != nullptr && enumeration->values.size() == 1;
  return is_single ? &enumeration->values.front() : nullptr;
}

StructElement typed_struct_element(Arena& arena, Value key, const Type* value) {
  const Type* type = key.is_type() ? key.as_type() : nullptr;
  const TypeKind kind = type == nullptr ? TypeKind::kAny : type->kind;
  const Type* holder = type;
  const bool is_optional = kind == TypeKind::kOptional;
  if (is_optional) {
    holder = type->as<OptionalType>().contained;
  } else if (kind == TypeKind::kNotUndef) {
    holder = type->as<NotUndefType>().contained;
  } else if (kind != TypeKind::kString && kind != TypeKind::kEnum) {
    fail_with(
        Issue::kInvalidTypeParameter,
        {"Illegal Struct member key type. Expected NotUndef, Optional, String, or Enum. Got: " +
         value_class_name(key)});
  }
  const std::string_view* name = text_of_key_type(holder);
  if (name == nullptr) {
    fail_with(Issue::kInvalidTypeParameter,
              {"Unable to extract a non-empty literal string from Struct member key type " +
               to_text(type)});
  }
  return types::struct_element(arena, *name, is_optional, value);
}

}  // namespace

const Type* struct_type(Arena& arena, const HashObject& hash) {
  std::vector<StructElement> elements;
  for (const HashEntry& entry : hash) {
    const Type* value = type_of_key(arena, entry.value);
    if (!entry.key.is_string()) {
      elements.push_back(typed_struct_element(arena, entry.key, value));
      continue;
    }
    if (entry.key.as_string().empty())
      fail_with(Issue::kInvalidTypeParameter, {"Struct element key cannot be an empty String"});
    const bool is_optional = is_assignable(value, types::kUndef);
    elements.push_back(types::struct_element(arena, entry.key.as_string(), is_optional, value));
  }
  return types::structure(arena, elements);
}

const Type* callable_type(Arena& arena, std::span<const Value> keys) {
  const Type* return_type = nullptr;
  std::vector<Value> parameters(keys.begin(), keys.end());
  if (keys.size() == 2 && keys[0].is_array()) {
    return_type = type_of_key(arena, keys[1]);
    parameters.assign(keys[0].as_array().begin(), keys[0].as_array().end());
  }
  const Type* block = nullptr;
  if (!parameters.empty() && parameters.back().is_type() &&
      is_kind_of_callable(parameters.back().as_type())) {
    block = parameters.back().as_type();
    parameters.pop_back();
  }
  std::optional<IntegerRange> size = take_size(parameters);
  std::vector<const Type*> types;
  for (const Value parameter : parameters) types.push_back(type_of_key(arena, parameter));
  if (types.empty() && size && size->to > 0) types.push_back(types::kUnit);
  const Type* tuple = types::tuple(arena, types, size ? &*size : nullptr);
  return types::callable(arena, &tuple->as<TupleType>(), block, return_type);
}

const Type* init_type(Arena& arena, const Type* contained, std::span<const Value> arguments) {
  return arena.make<InitType>(InitType{{{TypeKind::kInit}}, contained, arena.copy(arguments)});
}

const Type* sem_ver_type(Arena& arena, std::span<const Value> keys) {
  std::vector<const SemVerRange*> ranges;
  for (const Value key : keys) {
    ranges.push_back(key.is_string() ? parse_sem_ver_range(arena, key.as_string())
                                     : &key.as_sem_ver_range());
  }
  return types::sem_ver(arena, ranges);
}

// --- times --------------------------------------------------------------------------------------

namespace {

int64_t timespan_of_fields(const HashObject& hash) {
  struct Field {
    std::string_view name;
    int64_t nanoseconds;
  };
  constexpr Field kFields[] = {{"days", 86'400 * kNanosecondsPerSecond},
                               {"hours", 3'600 * kNanosecondsPerSecond},
                               {"minutes", 60 * kNanosecondsPerSecond},
                               {"seconds", kNanosecondsPerSecond},
                               {"milliseconds", 1'000'000},
                               {"microseconds", 1'000},
                               {"nanoseconds", 1}};
  int64_t sum = 0;
  for (const Field& field : kFields) {
    const Value* value = hash.find(field.name);
    if (value == nullptr || !value->is_integer()) continue;
    int64_t part;
    if (__builtin_mul_overflow(value->as_integer(), field.nanoseconds, &part) ||
        __builtin_add_overflow(sum, part, &sum)) {
      fail_with(Issue::kInvalidTypeParameter, {"Timespan is out of range"});
    }
  }
  const Value* negative = hash.find("negative");
  return negative != nullptr && negative->is_truthy() ? -sum : sum;
}

std::string_view text_in(const HashObject& hash, std::string_view key) {
  const Value* value = hash.find(key);
  return value != nullptr && value->is_string() ? value->as_string() : std::string_view();
}

int64_t time_of_hash(TypeKind kind, const HashObject& hash) {
  const std::string_view text = text_in(hash, "string");
  const std::string_view format = text_in(hash, "format");
  if (kind == TypeKind::kTimespan) {
    if (hash.find("string") == nullptr) return timespan_of_fields(hash);
    return format.empty() ? parse_timespan(text) : parse_timespan(text, format);
  }
  const std::string_view timezone = text_in(hash, "timezone");
  if (format.empty()) return parse_timestamp(text, std::span<const std::string_view>(), timezone);
  return parse_timestamp(text, format, timezone);
}

// Returns nothing when the value is out of range.
std::optional<int64_t> time_of_key(TypeKind kind, Value key) {
  const bool is_span = kind == TypeKind::kTimespan;
  if (key.is(ValueKind::kTimespan) && is_span) return key.as_timespan();
  if (key.is(ValueKind::kTimestamp) && !is_span) return key.as_timestamp();
  if (key.is_hash()) return time_of_hash(kind, key.as_hash());
  if (key.is_string()) {
    if (is_span) return parse_timespan(key.as_string());
    return parse_timestamp(key.as_string(), std::span<const std::string_view>(), {});
  }
  if (key.is_integer() || key.is_float()) return nanoseconds_of_seconds(key);
  fail_with(Issue::kInvalidTypeParameter,
            {"Unable to create a Puppet::Pops::Time::" + std::string(name_of(kind)) + " from a " +
             value_class_name(key)});
}

}  // namespace

const Type* time_type(Arena& arena, TypeKind kind, std::span<const Value> keys) {
  IntegerRange range;
  constexpr double endless[] = {-kInfinity, kInfinity};
  auto bound = [&](size_t i, int64_t open) {
    bool is_given = i < keys.size() && !keys[i].is_undef() && !keys[i].is_default();
    // An infinite bound means no bound.
    is_given = is_given && !(keys[i].is_float() && keys[i].as_float() * 1e9 == endless[i]);
    return is_given ? time_of_key(kind, keys[i]) : open;
  };
  const std::optional<int64_t> from = bound(0, kMinInteger);
  const std::optional<int64_t> to = bound(1, kMaxInteger);
  if (!from || !to) fail_time_range();
  range.from = *from;
  range.to = *to;
  const bool is_span = kind == TypeKind::kTimespan;
  if (range.from > range.to) {
    if (is_span) fail_order(timespan_text(range.from), timespan_text(range.to));
    fail_order(timestamp_text(range.from), timestamp_text(range.to));
  }
  if (keys.empty()) return is_span ? types::kTimespan : types::kTimestamp;
  return is_span ? types::timespan(arena, range) : types::timestamp(arena, range);
}

// --- others -------------------------------------------------------------------------------------

namespace {

bool is_type_within(Value value, const Type* wide) {
  return value.is_type() && is_assignable(wide, value.as_type());
}

bool is_uri_part(std::string_view name, Value value) {
  if (value.is_undef()) return true;
  if (is_type_within(value, types::kNotUndef) || is_type_within(value, types::kUndef)) return true;
  if (name == "port") return value.is_integer() && value.as_integer() >= 0;
  if (value.is_regexp()) return true;
  if (value.is_string()) return !value.as_string().empty();
  return is_type_within(value, types::kPattern) || is_type_within(value, types::kEnum);
}

}  // namespace

bool is_uri_parameter(Value key) {
  if (key.is_string()) return !key.as_string().empty();
  if (!key.is_hash()) return false;
  constexpr std::string_view kParts[] = {"scheme", "userinfo", "host",     "port",
                                         "path",   "query",    "fragment", "opaque"};
  for (const HashEntry& entry : key.as_hash()) {
    if (!entry.key.is_string()) return false;
    const std::string_view name = entry.key.as_string();
    const bool known = std::ranges::find(kParts, name) != std::end(kParts);
    if (!known || !is_uri_part(name, entry.value)) return false;
  }
  return true;
}

const Type* uri_type(Arena& arena, Value key) {
  Value parameters = key;
  if (key.is_string()) {
    assert_instance_of("URI-Type parameter", object_schema().uri, key);
    parameters = uri_parameters(arena, *parse_uri(arena, key.as_string()));
  } else if (key.is(ValueKind::kUri)) {
    parameters = uri_parameters(arena, key.as_uri());
  } else if (key.is_hash() && key.as_hash().size == 0) {
    parameters = Value::undef();
  }
  return arena.make<UriType>(UriType{{{TypeKind::kUri}}, parameters});
}

const Type* runtime_type(Arena& arena, Value runtime, Value name) {
  RuntimeType type{{{TypeKind::kRuntime}}, {}, {}, {}, false};
  if (!runtime.is_undef() && !runtime.is_string() && !runtime.is_default()) {
    assert_instance_of("Runtime 'runtime'", types::kNonEmptyString, runtime);
  }
  if (!name.is_undef()) {
    assert_instance_of("Runtime 'name_or_pattern'", object_schema().class_name, name);
  }
  if (runtime.is_string()) type.runtime = arena.copy(runtime.as_string());
  if (runtime.is_default()) type.runtime = "default";
  if (name.is_string()) type.name = arena.copy(name.as_string());
  if (name.is_array() && name.as_array().size() == 2 && name.as_array()[0].is_regexp() &&
      name.as_array()[1].is_string()) {
    type.name = arena.copy(name.as_array()[0].as_regexp());
    type.name_replacement = arena.copy(name.as_array()[1].as_string());
    type.is_mapping = true;
  }
  return arena.make<RuntimeType>(type);
}

const Type* object_type(Arena& arena, Value definition) {
  if (definition.is_hash() && definition.as_hash().size == 0) return types::kObject;
  if (definition.is_undef()) return types::kObject;
  auto* type = arena.make<ObjectType>(types::kObject->as<ObjectType>());
  if (definition.is_hash()) {
    define_object(arena, *type, definition);
  } else {
    assert_instance_of("object name", object_schema().qualified_name, definition);
    type->name = definition.as_string();
  }
  return type;
}

const Type* type_set_type(Arena& arena, Value definition, TypeResolver* resolver) {
  if (definition.is_hash() && definition.as_hash().size == 0) return types::kTypeSet;
  if (definition.is_undef()) return types::kTypeSet;
  auto* type = arena.make<TypeSetType>(types::kTypeSet->as<TypeSetType>());
  type->name = {};
  if (!definition.is_hash()) {
    assert_instance_of("TypeSet name", object_schema().qualified_name, definition);
    type->name = definition.as_string();
    return type;
  }
  define_type_set(arena, *type, definition, resolver);
  return type;
}

bool is_class_reference(std::string_view name) {
  auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  if (name.empty()) return false;
  size_t at = 0;
  while (at < name.size()) {
    if (name.substr(at).starts_with("::")) at += 2;
    if (at >= name.size() || name[at] < 'A' || name[at] > 'Z') return false;
    while (at < name.size() && is_word(name[at])) ++at;
    if (at < name.size() && name[at] != ':') return false;
  }
  return true;
}

std::string value_class_name(Value value) {
  if (!value.is_type() || is_given_reference(value.as_type()))
    return std::string(ruby_class_name(value));
  return "Puppet::Pops::Types::P" + std::string(name_of(value.as_type()->kind)) + "Type";
}

std::string value_class_label(Value value) {
  if (!value.is_type()) return std::string(ruby_class_name(value));
  return std::string(name_of(value.as_type()->kind)) + "-Type";
}

}  // namespace bunraku
