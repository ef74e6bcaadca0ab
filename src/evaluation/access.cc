// x[keys...] on values, types and resources.

#include <algorithm>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "evaluation/evaluation.h"
#include "evaluation/numeric.h"
#include "evaluation/object_code.h"
#include "types/built_in_types.h"
#include "values/flattened.h"
#include "values/object.h"

namespace bunraku {

Value Evaluation::evaluate_accessed(const Expression& expression) {
  const bool is_path = expression.kind == NodeKind::kVariableExpression ||
                       expression.kind == NodeKind::kAccessExpression;
  if (!is_path || FactReads::current() == nullptr) return evaluate(expression);
  const PartialFactRead partial;
  return evaluate(expression);
}

Value Evaluation::evaluate_key(const Expression& key) {
  if (FactReads::current() == nullptr) return evaluate(key);
  const PartialFactRead whole(false);
  return evaluate(key);
}

Value Evaluation::evaluate_access(const AccessExpression& expression) {
  // Types with constant parameters are created once.
  bool keep = false;
  if (expression.left->kind == NodeKind::kQualifiedReference) {
    if (const Value* known = caches().constants.find(&expression)) {
      if (!known->is_control()) return *known;
    } else {
      keep = is_constant(expression);
      if (!keep) caches().constants.add(&expression, Value::control(Control::kNext));
    }
  }
  Value left = evaluate_accessed(*expression.left);
  if (left.is_control()) return left;
  const bool is_class = left.is_type() && left.as_type()->kind == TypeKind::kClass;
  ArgumentList keys(arena());
  for (const Expression* key : expression.keys) {
    Value value;
    const auto* reference = key->try_as<QualifiedReference>();
    if (is_class && reference && !evaluator_.find_type(reference->cased, reference->name)) {
      // An unknown type is not an error here; it is rejected later as a class name.
      auto* unknown = arena().make<TypeReferenceType>();
      unknown->kind = TypeKind::kTypeReference;
      unknown->text = reference->cased.text();
      value = Value::type(unknown);
    } else {
      value = evaluate_key(*key);
    }
    if (value.is_control()) return value;
    keys.push(value);
  }
  if (FactReads* reads = FactReads::current()) {
    // The parts of several keys are not tracked one by one.
    keys.size() == 1 ? reads->part(left, keys.values()) : reads->whole(left);
  }
  Value result = access(left, keys.values(), expression);
  if (keep) {
    caches().constants.add(&expression, result.is_type() ? result : Value::control(Control::kNext));
  }
  return result;
}

const Expression& Evaluation::blamed_key(const AccessExpression& expression, size_t at) {
  return at < expression.keys.size() ? *expression.keys[at] : expression;
}

namespace {

// The start and the length of a slice, from the two numbers of x[from, length].
struct Slice {
  int64_t from;
  int64_t length;
};

// A negative start counts from the end; a negative length means "up to that many from the end".
Slice slice_of(int64_t from, int64_t length, int64_t size) {
  // Larger than any possible size, and far from overflow.
  constexpr int64_t kFar = int64_t{1} << 40;
  from = std::clamp(from, -kFar, kFar);
  length = std::clamp(length, -kFar, kFar);
  if (from < 0) from = size + from;
  if (length < 0) length = size - from + length + 1;
  if (from < 0) {
    length += from;
    from = 0;
  }
  return {from, length};
}

// Returns the [] that an object's type declares; null when there is none.
const ObjectMember* access_member(const ObjectInstance& object) {
  const ObjectType* type = object_type_of(object.type);
  return type != nullptr ? find_member(*type, "[]") : nullptr;
}

}  // namespace

Value Evaluation::access(Value left, std::span<const Value> keys,
                         const AccessExpression& expression) {
  switch (left.kind()) {
    case ValueKind::kArray:
      return access_array(left.as_array(), flattened(arena(), keys), expression);
    case ValueKind::kHash:
      return access_hash(left.as_hash(), keys);
    case ValueKind::kString:
      return Value::string(
          access_text(left.as_string(), false, flattened(arena(), keys), expression));
    case ValueKind::kBinary:
      return Value::binary(
          access_text(left.as_binary(), true, flattened(arena(), keys), expression));
    case ValueKind::kType:
      return access_type(left.as_type(), keys, expression);
    case ValueKind::kObject:
      if (const ObjectMember* member = access_member(left.as_object())) {
        Call call{evaluator_, scope_, keys, nullptr, place(expression)};
        return call_object_member(left.as_object(), *member, call);
      }
      [[fallthrough]];
    default:
      fail(Issue::kOperatorNotApplicable, *expression.left, {"[]", with_article(label(left))});
  }
}

// --- arrays and hashes ---------------------------------------------------------------------------

std::span<const int64_t> Evaluation::array_indices(std::span<const Value> array,
                                                   std::span<const Value> keys,
                                                   std::span<int64_t, 2> indices,
                                                   const AccessExpression& expression) {
  Value numbers[2];
  for (size_t i = 0; i < keys.size(); ++i) {
    numbers[i] =
        keys[i].is_integer() ? keys[i] : coerce_numeric(keys[i], blamed_key(expression, i));
  }
  for (size_t i = 0; i < keys.size(); ++i) {
    if (!numbers[i].is_integer()) {
      fail(Issue::kBadSliceKeyType, blamed_key(expression, i),
           {with_upper_case_article(label(Value::array(array))), key_type_name(arena(), numbers[i]),
            "Integer"});
    }
    indices[i] = numbers[i].as_integer();
  }
  return indices.first(keys.size());
}

Value Evaluation::access_array(std::span<const Value> array, std::span<const Value> keys,
                               const AccessExpression& expression) {
  if (keys.empty() || keys.size() > 2) {
    fail(Issue::kBadArraySliceArity, *expression.left, {std::to_string(keys.size())});
  }
  int64_t storage[2];
  const std::span<const int64_t> indices = array_indices(array, keys, storage, expression);
  auto size = static_cast<int64_t>(array.size());
  if (indices.size() == 1) {
    const int64_t index = indices[0] < 0 ? indices[0] + size : indices[0];
    return index >= 0 && index < size ? array[static_cast<size_t>(index)] : Value::undef();
  }
  const Slice slice = slice_of(indices[0], indices[1], size);
  if (slice.length <= 0 || slice.from >= size) return Value::array({});
  const int64_t length = std::min(slice.length, size - slice.from);
  return Value::array(array.subspan(static_cast<size_t>(slice.from), static_cast<size_t>(length)));
}

Value Evaluation::access_hash(const HashObject& hash, std::span<const Value> keys) {
  if (keys.size() == 1) {
    const Value* found = hash.find(keys[0]);
    return found ? *found : Value::undef();
  }
  ArrayBuilder values(arena(), keys.size());
  for (const Value key : keys) {
    const Value* found = hash.find(key);
    if (found != nullptr && !found->is_undef()) values.push(*found);
  }
  return values.finish();
}

// --- strings and binaries ------------------------------------------------------------------------

std::string_view Evaluation::access_text(std::string_view text, bool is_binary,
                                         std::span<const Value> keys,
                                         const AccessExpression& expression) {
  if (keys.empty() || keys.size() > 2) {
    fail(Issue::kBadStringSliceArity, *expression.left, {std::to_string(keys.size())});
  }
  int64_t numbers[2] = {0, 1};
  for (size_t i = 0; i < keys.size(); ++i) {
    Value key = keys[i];
    if (key.is_string()) {
      if (std::optional<Value> number = to_number(key.as_string())) key = *number;
    }
    if (!key.is_integer()) {
      fail(Issue::kBadStringSliceKeyType, blamed_key(expression, i),
           {with_article(key_type_name(arena(), key))});
    }
    numbers[i] = key.as_integer();
  }
  bool is_bytes = is_binary || text.size() == character_count(text);
  auto size = static_cast<int64_t>(is_bytes ? text.size() : character_count(text));
  Slice slice{numbers[0], 1};
  if (keys.size() == 2) {
    slice = slice_of(numbers[0], numbers[1], size);
  } else if (slice.from < 0) {
    slice.from += size;
  }
  if (slice.from < 0 || slice.from >= size || slice.length <= 0) return "";
  const int64_t end = slice.from + std::min(slice.length, size - slice.from);
  auto byte = [&](int64_t character) {
    auto at = static_cast<size_t>(character);
    return is_bytes ? at : offset_of_character(text, at);
  };
  const size_t begin = byte(slice.from);
  return text.substr(begin, byte(end) - begin);
}

// --- types ---------------------------------------------------------------------------------------

Value Evaluation::access_type(const Type* type, std::span<const Value> keys,
                              const AccessExpression& expression) {
  switch (type->kind) {
    case TypeKind::kResource: {
      const auto& resource = type->as<ResourceType>();
      const bool is_reference = !resource.type_name && keys.size() == 1 && keys[0].is_type() &&
                                keys[0].as_type()->kind == TypeKind::kResource;
      return is_reference ? keys[0] : access_resource(resource, keys, expression);
    }
    case TypeKind::kClass:
      return access_class(type->as<ClassType>(), keys, expression);
    case TypeKind::kTypeReference:
      evaluator_.fail_unknown_type(type->as<TypeReferenceType>().text, place(expression));
    default:
      return Value::type(parameterize(arena(), type, keys, evaluator_.host().types));
  }
}

namespace {

// Matches (::)?Xxx(::Xxx)*; `is_first` tests the first character of a segment.
template <typename IsFirst>
bool is_qualified(std::string_view name, IsFirst is_first) {
  if (name.starts_with("::")) name.remove_prefix(2);
  while (true) {
    if (name.empty() || !is_first(name[0])) return false;
    size_t size = 1;
    while (size < name.size() && is_word_character(name[size])) ++size;
    name.remove_prefix(size);
    if (name.empty()) return true;
    if (!name.starts_with("::")) return false;
    name.remove_prefix(2);
  }
}

// Returns the keys without nested arrays and undefs.
std::span<const Value> flattened_and_compacted(Arena& arena, std::span<const Value> keys) {
  ArrayBuilder kept(arena);
  for (const Value key : flattened(arena, keys)) {
    if (!key.is_undef()) kept.push(key);
  }
  return kept.finish().as_array();
}

Value one_or_all(ArrayBuilder& values, bool is_array) {
  Value all = values.finish();
  if (is_array) return all;
  return all.as_array().empty() ? Value::undef() : all.as_array().back();
}

}  // namespace

void Evaluation::fail_without_keys(const Type* type, const AccessExpression& expression) {
  fail(Issue::kBadTypeSliceArity, expression, {to_text(type), "1 or more arguments", "0"});
}

// Resource[type, titles...], File[titles...]; with a title given already, the keys are names of
// parameters.
Value Evaluation::access_resource(const ResourceType& type, std::span<const Value> keys,
                                  const AccessExpression& expression) {
  if (keys.empty()) fail_without_keys(&type, expression);
  std::string type_name(type.type_name.text());
  if (!type.type_name) {
    const Value first = keys[0];
    keys = keys.subspan(1);
    if (first.is_type() && first.as_type()->kind == TypeKind::kResource &&
        first.as_type()->as<ResourceType>().type_name) {
      type_name = first.as_type()->as<ResourceType>().type_name.text();
    } else if (first.is_string()) {
      type_name = capitalized_segments(first.as_string());
    } else {
      fail(Issue::kIllegalResourceSpecialization, blamed_key(expression, 0),
           {key_type_name(arena(), first)});
    }
  }
  auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  if (!is_qualified(type_name, is_capital)) {
    fail(Issue::kIllegalClassref, blamed_key(expression, 0), {type_name});
  }
  const bool is_array = keys.size() > 1 || (keys.size() == 1 && keys[0].is_array());
  const std::span<const Value> titles = flattened_and_compacted(arena(), keys);
  if (titles.empty() && !keys.empty()) return is_array ? Value::array({}) : Value::undef();
  if (type.title != nullptr) return resource_parameters(type, titles, is_array, expression);
  if (titles.empty()) return Value::type(types::resource(arena(), type_name));
  ArrayBuilder references(arena(), titles.size());
  for (size_t i = 0; i < titles.size(); ++i) {
    if (!titles[i].is_string()) {
      const size_t index = keys.size() != titles.size() ? i + 1 : i;
      fail(Issue::kBadTypeSpecialization, blamed_key(expression, index),
           {with_article(label(Value::type(&type))),
            "Cannot use " + key_type_name(arena(), titles[i]) +
                " where a resource title String is expected"});
    }
    references.push(Value::type(types::resource(arena(), type_name, titles[i].as_string())));
  }
  return one_or_all(references, is_array);
}

Value Evaluation::resource_parameters(const ResourceType& type, std::span<const Value> names,
                                      bool is_array, const AccessExpression& expression) {
  CatalogHost& catalog = catalog_for(expression);
  ArrayBuilder values(arena(), names.size());
  for (const Value name : names) {
    values.push(catalog.parameter_of(type, ruby_text(name), place(expression)));
  }
  return one_or_all(values, is_array);
}

Value Evaluation::access_class(const ClassType& type, std::span<const Value> keys,
                               const AccessExpression& expression) {
  if (keys.empty()) fail_without_keys(&type, expression);
  const bool is_array = keys.size() > 1 || keys[0].is_array();
  const std::span<const Value> names = flattened_and_compacted(arena(), keys);
  if (names.empty()) return is_array ? Value::array({}) : Value::undef();
  if (type.class_name) {
    ResourceType reference{};
    const std::string_view title = type.class_name.text();
    reference.kind = TypeKind::kResource;
    reference.type_name = Name("Class");
    reference.key = Name("class");
    reference.title = &title;
    return resource_parameters(reference, names, is_array, expression);
  }
  ArrayBuilder references(arena(), names.size());
  for (size_t i = 0; i < names.size(); ++i) {
    if (!names[i].is_string()) {
      fail(Issue::kIllegalHostclassName, blamed_key(expression, i),
           {with_upper_case_article(label(names[i]))});
    }
    std::string name = downcase(names[i].as_string());
    if (name.starts_with("::")) name.erase(0, 2);
    if (!is_qualified(name, [](char c) { return c >= 'a' && c <= 'z'; })) {
      fail(Issue::kIllegalTypeName, blamed_key(expression, i), {std::string(names[i].as_string())});
    }
    references.push(Value::type(types::class_type(arena(), name)));
  }
  return one_or_all(references, is_array);
}

}  // namespace bunraku
