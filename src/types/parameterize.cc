// Type[keys...] in code: checks and errors are those of the reference's access operator.

#include <cmath>
#include <string>
#include <vector>

#include "base/diagnostics/diagnostic.h"
#include "base/regex/regex.h"
#include "types/built_in_types.h"
#include "types/object_init.h"
#include "types/relations.h"
#include "types/type_error.h"
#include "types/type_keys.h"
#include "types/type_text.h"
#include "values/flattened.h"
#include "values/object.h"
#include "values/sem_ver.h"
#include "values/timespan.h"
#include "values/timestamp.h"
#include "values/uri.h"

namespace bunraku {
namespace {

using Keys = std::vector<Value>;

constexpr size_t kNoLimit = SIZE_MAX;

std::string_view article(std::string_view text) {
  if (text.starts_with('\'') || text.starts_with('"')) text.remove_prefix(1);
  constexpr std::string_view kVowels = "aeiouyAEIOUY";
  const bool vowel = !text.empty() && kVowels.find(text.front()) != std::string_view::npos;
  return vowel ? "an" : "a";
}
std::string with_article(const std::string& text) {
  return std::string(article(text)) + " " + text;
}
std::string with_upper_case_article(const std::string& text) {
  return (article(text) == "an" ? "An " : "A ") + text;
}

class Parameterization {
 public:
  Parameterization(Arena& arena, const Type* type, std::span<const Value> keys,
                   TypeResolver* resolver)
      : arena_(arena), type_(type), given_(keys), resolver_(resolver) {}

  const Type* make() {
    // These kinds check their keys themselves.
    switch (type_->kind) {
      case TypeKind::kCallable:
        return callable();
      case TypeKind::kInit:
        return init();
      default:
        break;
    }
    const bool takes_arrays = type_->kind == TypeKind::kStruct;
    const std::span<const Value> keys = takes_arrays ? given_ : flattened(arena_, given_);
    keys_.assign(keys.begin(), keys.end());
    switch (type_->kind) {
      case TypeKind::kInteger:
        return integer();
      case TypeKind::kFloat:
        return floating();
      case TypeKind::kBoolean:
        return boolean();
      case TypeKind::kString:
        return string();
      case TypeKind::kEnum:
        return enumeration();
      case TypeKind::kPattern:
        return pattern();
      case TypeKind::kRegexp:
        return regexp();
      case TypeKind::kCollection:
        return collection();
      case TypeKind::kArray:
        return array();
      case TypeKind::kHash:
        return hash();
      case TypeKind::kTuple:
        return tuple();
      case TypeKind::kStruct:
        return structure();
      case TypeKind::kVariant:
        return variant();
      case TypeKind::kOptional:
        return optional();
      case TypeKind::kNotUndef:
        return not_undef();
      case TypeKind::kIterable:
        return types::iterable(arena_, single_type("Iterable-Type"));
      case TypeKind::kIterator:
        return types::iterator(arena_, single_type("Iterator-Type"));
      case TypeKind::kType:
        return types::type_of_type(arena_, single_type("Type-Type"));
      case TypeKind::kSensitive:
        return types::sensitive(arena_, single_type("Sensitive-Type"));
      case TypeKind::kSemVer:
        return sem_ver();
      case TypeKind::kTimespan:
      case TypeKind::kTimestamp:
        return time();
      case TypeKind::kUri:
        return uri();
      case TypeKind::kRuntime:
        return runtime();
      case TypeKind::kClass:
        return class_type();
      case TypeKind::kResource:
        return resource();
      case TypeKind::kObject:
        return object();
      case TypeKind::kTypeSet:
        return type_set();
      case TypeKind::kTypeReference:
        fail(AccessError::kWhole, Issue::kUnknownResourceType,
             {std::string(type_->as<TypeReferenceType>().text)});
      default:
        fail(AccessError::kLeft, Issue::kOperatorNotApplicable,
             {"[]", with_article(type_label(type_))});
    }
  }

 private:
  // --- errors ---

  [[noreturn]] static void fail(int key, Issue issue, std::vector<std::string> arguments) {
    throw AccessError(make_diagnostic(issue, {}, std::move(arguments)), key);
  }

  static bool is_type(Value key) { return key.is_type() && !is_given_reference(key.as_type()); }

  static std::string type_label(const Type* type) { return to_display_text(type) + "-Type"; }

  [[noreturn]] void fail_arity(const std::string& label, size_t min, size_t max,
                               int blamed = AccessError::kWhole) const {
    std::string wanted = std::to_string(min);
    if (max == kNoLimit) {
      wanted += " or more arguments";
    } else if (max != min) {
      wanted += " to " + std::to_string(max) + " arguments";
    } else {
      wanted += min == 1 ? " argument" : " arguments";
    }
    fail(blamed, Issue::kBadTypeSliceArity, {label, wanted, std::to_string(keys_.size())});
  }

  std::string key_type_name(Value key) const {
    if (key.is_undef()) return "Undef";
    if (key.is_default()) return "Default";
    return to_display_text(generalize(arena_, infer(arena_, key)));
  }

  [[noreturn]] void fail_type(size_t key, const std::string& label) const {
    const std::string actual(value_class_name(keys_[key]));
    fail(static_cast<int>(key), Issue::kBadTypeSliceType, {label, actual});
  }

  [[noreturn]] void fail_specialization(size_t key, const std::string& expected) const {
    fail(static_cast<int>(key), Issue::kBadTypeSpecialization,
         {with_article(type_label(type_)),
          "Cannot use " + key_type_name(keys_[key]) + " where " + expected + " is expected"});
  }

  // The reference's message always has a minimum of 1 here.
  template <typename Predicate>
  void assert_keys(size_t min, size_t max, Predicate is_allowed,
                   const std::string& expected) const {
    if (keys_.size() < min || keys_.size() > max) {
      fail_arity(with_upper_case_article(type_label(type_)), 1, max);
    }
    for (size_t i = 0; i < keys_.size(); ++i) {
      if (!is_allowed(keys_[i])) fail_specialization(i, expected);
    }
  }

  const Type* single_type(const std::string& label) const {
    if (keys_.size() != 1) fail_arity(label, 1, 1);
    if (!is_type(keys_[0])) fail_type(0, label);
    return keys_[0].as_type();
  }

  // --- sizes ---

  // Reads one Integer type, or one or two integers, from key `start` on.
  IntegerRange size_from_keys(size_t start) const {
    const size_t count = keys_.size() - start;
    if (count == 1 && keys_[start].is_type()) {
      if (const auto* integer = keys_[start].as_type()->try_as<IntegerType>()) {
        return as_given_size(integer->range);
      }
    }
    for (size_t i = start; i < keys_.size(); ++i) {
      if (keys_[i].is_integer() || keys_[i].is_default()) continue;
      const std::string actual(value_class_label(keys_[i]));
      fail(static_cast<int>(i), Issue::kBadCollectionSliceType, {with_article(actual)});
    }
    return as_given_size(range_of(keys_[start], count > 1 ? keys_[start + 1] : Value()));
  }

  // --- the kinds ---

  const Type* integer() const {
    if (keys_.empty() || keys_.size() > 2) {
      fail(AccessError::kWhole, Issue::kBadIntegerSliceArity, {std::to_string(keys_.size())});
    }
    for (size_t i = 0; i < keys_.size(); ++i) {
      if (keys_[i].is_integer() || keys_[i].is_default()) continue;
      fail(static_cast<int>(i), Issue::kBadIntegerSliceType,
           {std::string(value_class_name(keys_[i]))});
    }
    const IntegerRange range = range_of(keys_[0], keys_.size() > 1 ? keys_[1] : Value());
    return types::integer(arena_, range.from, range.to);
  }

  const Type* floating() const {
    if (keys_.empty() || keys_.size() > 2) {
      fail(AccessError::kWhole, Issue::kBadFloatSliceArity, {std::to_string(keys_.size())});
    }
    for (size_t i = 0; i < keys_.size(); ++i) {
      if (keys_[i].is_numeric() || keys_[i].is_default()) continue;
      fail(static_cast<int>(i), Issue::kBadFloatSliceType,
           {std::string(value_class_name(keys_[i]))});
    }
    return float_range(arena_, keys_[0], keys_.size() > 1 ? keys_[1] : Value());
  }

  const Type* boolean() const {
    assert_keys(1, 1, [](Value key) { return key.is_boolean(); }, "TrueClass or FalseClass");
    return boolean_type(arena_, keys_[0].as_boolean());
  }

  const Type* string() const {
    if (keys_.empty() || keys_.size() > 2) {
      fail(AccessError::kWhole, Issue::kBadStringSliceArity, {std::to_string(keys_.size())});
    }
    return types::string_size(arena_, size_from_keys(0));
  }

  const Type* enumeration() {
    bool case_insensitive = false;
    if (!keys_.empty() && keys_.back().is_boolean()) {
      case_insensitive = keys_.back().as_boolean();
      keys_.pop_back();
    }
    assert_keys(1, kNoLimit, [](Value key) { return key.is_string(); }, "String");
    std::vector<std::string_view> values;
    for (const Value key : keys_) values.push_back(key.as_string());
    return types::enumeration(arena_, values, case_insensitive);
  }

  const Type* pattern() const {
    auto is_allowed = [](Value key) {
      if (key.is_string() || key.is_regexp()) return true;
      return key.is_type() && (key.as_type()->kind == TypeKind::kPattern ||
                               key.as_type()->kind == TypeKind::kRegexp);
    };
    assert_keys(1, kNoLimit, is_allowed, "String or Regexp or Pattern-Type or Regexp-Type");
    return pattern_type(arena_, keys_);
  }

  const Type* regexp() const {
    if (keys_.size() != 1) {
      fail_arity(with_upper_case_article(type_label(type_)), 1, 1,
                 keys_.empty() ? AccessError::kWhole : 1);
    }
    auto is_allowed = [](Value key) { return key.is_string() || key.is_regexp(); };
    assert_keys(1, 1, is_allowed, "String or Regexp");
    const std::string_view source =
        keys_[0].is_string() ? keys_[0].as_string() : keys_[0].as_regexp();
    check_pattern(source);
    return types::regexp(arena_, source);
  }

  const Type* collection() const {
    if (keys_.empty() || keys_.size() > 2) fail_arity("Collection-Type", 1, 2);
    return types::collection(arena_, size_from_keys(0));
  }

  const Type* array() const {
    if (keys_.empty() || keys_.size() > 3) fail_arity("Array-Type", 1, 3);
    const bool has_type = is_type(keys_[0]);
    if (!has_type && keys_.size() != 2) fail_type(0, "Array-Type");
    if (keys_.size() == 1) return types::array(arena_, keys_[0].as_type());
    if (has_type) return types::array(arena_, keys_[0].as_type(), size_from_keys(1));
    return types::array(arena_, types::kAny, size_from_keys(0));
  }

  const Type* hash() const {
    if (keys_.size() == 2 && keys_[0].is_integer() && keys_[1].is_integer()) {
      const IntegerRange size = as_given_size(range_of(keys_[0], keys_[1]));
      return types::hash(arena_, types::kAny, types::kAny, size);
    }
    for (size_t i = 0; i < keys_.size() && i < 2; ++i) {
      if (!is_type(keys_[i])) fail_type(i, "Hash-Type");
    }
    if (keys_.size() < 2 || keys_.size() > 4) fail_arity("Hash-Type", 2, 4);
    const Type* key = keys_[0].as_type();
    const Type* value = keys_[1].as_type();
    if (keys_.size() == 2) return types::hash(arena_, key, value);
    return types::hash(arena_, key, value, size_from_keys(2));
  }

  const Type* tuple() {
    std::optional<IntegerRange> size = take_size(keys_);
    assert_keys(1, kNoLimit, is_type, "Any-Type");
    std::vector<const Type*> types;
    for (const Value key : keys_) types.push_back(key.as_type());
    return types::tuple(arena_, types, size ? &*size : nullptr);
  }

  const Type* structure() const {
    assert_keys(1, 1, [](Value key) { return key.is_hash(); }, "Hash");
    return struct_type(arena_, keys_[0].as_hash());
  }

  const Type* variant() const {
    assert_keys(1, kNoLimit, is_type, "Any-Type");
    std::vector<const Type*> types;
    for (const Value key : keys_) types.push_back(key.as_type());
    return types::variant(arena_, types);
  }

  const Type* optional() const {
    if (keys_.size() != 1) fail_arity("Optional-Type", 1, 1);
    if (keys_[0].is_string()) {
      return types::optional(arena_, types::string_value(arena_, keys_[0].as_string()));
    }
    if (!is_type(keys_[0])) fail_type(0, "Optional-Type");
    return types::optional(arena_, keys_[0].as_type());
  }

  const Type* not_undef() const {
    if (keys_.empty()) return types::kNotUndef;
    if (keys_.size() > 1) fail_arity("NotUndef-Type", 0, 1);
    if (keys_[0].is_string()) {
      return types::not_undef(arena_, types::string_value(arena_, keys_[0].as_string()));
    }
    if (!is_type(keys_[0])) {
      fail(0, Issue::kBadNotUndefSliceType,
           {"NotUndef-Type", std::string(value_class_name(keys_[0]))});
    }
    return types::not_undef(arena_, keys_[0].as_type());
  }

  const Type* callable() {
    keys_.assign(given_.begin(), given_.end());
    if (!keys_.empty() && keys_[0].is_array()) {
      if (keys_.size() != 2) fail_arity(with_upper_case_article(type_label(type_)), 2, 2);
      if (!is_type(keys_[1])) fail_specialization(1, "Any-Type");
    }
    return callable_type(arena_, keys_);
  }

  const Type* init() {
    keys_.assign(given_.begin(), given_.end());
    if (keys_.empty() || !is_type(keys_[0])) {
      if (keys_.empty()) keys_.push_back(Value::undef());
      fail_type(0, "Init-Type");
    }
    return init_type(arena_, keys_[0].as_type(), std::span(keys_).subspan(1));
  }

  const Type* sem_ver() const {
    auto is_allowed = [](Value key) { return key.is_string() || key.is(ValueKind::kSemVerRange); };
    assert_keys(1, kNoLimit, is_allowed, "String or SemanticPuppet::VersionRange");
    return sem_ver_type(arena_, keys_);
  }

  const Type* time() const {
    if (keys_.size() > 2) fail_arity(with_upper_case_article(type_label(type_)), 0, 2);
    return time_type(arena_, type_->kind, keys_);
  }

  const Type* uri() const {
    if (keys_.size() != 1) fail_arity("URI-Type", 1, 1);
    if (!is_uri_parameter(keys_[0])) fail_type(0, "URI-Type");
    return uri_type(arena_, keys_[0]);
  }

  const Type* runtime() const {
    assert_keys(2, 2, [](Value key) { return key.is_string(); }, "String or String");
    return runtime_type(arena_, keys_[0], keys_[1]);
  }

  const Type* class_type() const {
    if (keys_.size() != 1) fail_arity(type_label(type_), 1, kNoLimit);
    if (!keys_[0].is_string()) {
      fail(0, Issue::kIllegalHostclassName, {with_upper_case_article(key_type_name(keys_[0]))});
    }
    return types::class_type(arena_, keys_[0].as_string());
  }

  const Type* resource() const {
    if (keys_.empty()) fail_arity(to_display_text(type_), 1, kNoLimit);
    const auto& resource = type_->as<ResourceType>();
    const size_t first = resource.key ? 0 : 1;
    std::string name(resource.type_name.text());
    if (!resource.key) name = resource_name(keys_[0]);
    if (keys_.size() == first) return types::resource(arena_, name);
    const Value title = keys_[first];
    if (!title.is_string()) fail_specialization(first, "a resource title String");
    return types::resource(arena_, name, title.as_string());
  }

  std::string resource_name(Value key) const {
    std::string name;
    if (key.is_string()) {
      append_capitalized_segments(name, key.as_string());
    } else if (key.is_type() && key.as_type()->kind == TypeKind::kResource) {
      name = key.as_type()->as<ResourceType>().type_name.text();
    } else {
      fail(0, Issue::kIllegalResourceSpecialization, {key_type_name(key)});
    }
    if (!is_class_reference(name)) fail(0, Issue::kIllegalClassref, {name});
    return name;
  }

  const Type* object() const {
    const auto& object = type_->as<ObjectType>();
    if (!object.name.empty() && object.base == nullptr) {
      return parameterize_object(arena_, object, keys_);
    }
    if (keys_.size() != 1) fail_arity("Object-Type", 1, 1);
    return object_type(arena_, keys_[0]);
  }

  const Type* type_set() const {
    if (keys_.size() != 1) fail_arity("TypeSet-Type", 1, 1);
    return type_set_type(arena_, keys_[0], resolver_);
  }

  Arena& arena_;
  const Type* type_;
  std::span<const Value> given_;
  TypeResolver* resolver_;
  Keys keys_;
};

}  // namespace

const Type* parameterize(Arena& arena, const Type* type, std::span<const Value> keys,
                         TypeResolver* resolver) {
  return Parameterization(arena, type, keys, resolver).make();
}

}  // namespace bunraku
