#include "evaluation/overload.h"

#include <algorithm>

#include "base/diagnostics/diagnostic.h"
#include "base/text/ruby_text.h"
#include "types/built_in_types.h"
#include "types/interpolation.h"
#include "types/relations.h"
#include "types/type_text.h"
#include "values/bounds.h"
#include "values/shared_parts.h"

namespace bunraku {

bool accepts_arguments(const NativeSignature& signature, std::span<const Value> arguments) {
  const IntegerRange& size = signature.size;
  auto count = static_cast<int64_t>(arguments.size());
  if (count < size.from || count > size.to) return false;
  const std::span<const SignatureParameter> parameters = signature.signature.parameters;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Type* type = parameters[std::min(i, parameters.size() - 1)].type;
    if (type->kind != TypeKind::kAny && !is_instance(type, arguments[i])) return false;
  }
  return true;
}

bool accepts_block(const NativeSignature& signature, const Block* block) {
  if (block == nullptr) return signature.block == nullptr || signature.block_is_optional;
  if (signature.block == nullptr) return false;
  return is_assignable(signature.block, block->signature().type);
}

std::string_view problem_of_reference(const Type& type) {
  if (type.kind == TypeKind::kCatalogEntry) {
    return "Cannot split the type Puppet::Pops::Types::PCatalogEntryType, it represents neither a "
           "PClassType, nor a PResourceType.";
  }
  static const Name kClass("class");
  const auto* resource = type.try_as<ResourceType>();
  const bool is_any_class = resource != nullptr
                                ? resource->key == kClass && resource->title == nullptr
                                : type.kind == TypeKind::kClass && !type.as<ClassType>().class_name;
  if (is_any_class) {
    return "No title provided and \"class\" is not a valid resource reference";
  }
  if (resource != nullptr && !resource->type_name) {
    return "Resource without a type is no reference to a resource";
  }
  return {};
}

namespace {

constexpr std::string_view kIteratorMessage = "Use of an Iterator is not supported here";

// A resource type without a title is converted to the reference with an empty title.
Value given_type(Arena& arena, Value value) {
  const Type* type = value.as_type();
  const bool is_reference = is_catalog_reference(type) || type->kind == TypeKind::kResource;
  return is_reference ? Value::type(types::given_reference(arena, type)) : value;
}

// Copies values that contain references or nesting: a resource's parameter shares no part with
// another value, nor with itself, which to_yaml would show. In long traversals parts stay shared.
class GivenValues {
 public:
  GivenValues(Arena& arena, std::string_view& problem) : arena_(arena), problem_(problem) {}

  Value of(Value value) {
    switch (value.kind()) {
      case ValueKind::kIterator:
        problem_ = kIteratorMessage;
        return value;
      case ValueKind::kType:
        problem_ = problem_of_reference(*value.as_type());
        return problem_.empty() ? given_type(arena_, value) : value;
      case ValueKind::kArray:
        if (is_whole() && std::ranges::all_of(value.as_array(), is_plain)) return value;
        break;
      case ValueKind::kHash:
        if (is_whole() && std::ranges::all_of(value.as_hash(), is_plain_entry)) return value;
        break;
      default:
        return value;
    }
    // Deeper values cannot be read by anything later.
    if (nesting_.level + 1 == kMaxNesting) return value;
    const NestingGuard guard(nesting_, "a value");
    const SharedParts<Value>::Pair part{part_identity(value), {}};
    if (const Value* known = known_.find(nesting_, part)) return *known;
    const Value given = value.is_array() ? of_items(value) : of_entries(value);
    known_.remember(nesting_, part, given);
    return given;
  }

 private:
  // Returns whether this is the value itself, which is not copied as its parts are.
  bool is_whole() const { return nesting_.level == 0; }

  static bool is_plain(Value value) {
    return !value.is_array() && !value.is_hash() && !value.is_type() &&
           value.kind() != ValueKind::kIterator;
  }
  static bool is_plain_entry(const HashEntry& entry) {
    return is_plain(entry.key) && is_plain(entry.value);
  }

  static bool is_unchanged(Value value, Value given) {
    return value.is_type() ? value.as_type() == given.as_type()
                           : part_identity(value) == part_identity(given);
  }

  Value of_items(Value array) {
    const std::span<const Value> items = array.as_array();
    for (size_t i = 0; i < items.size(); ++i) {
      const Value given = of(items[i]);
      if (!problem_.empty()) return array;
      if (is_unchanged(items[i], given)) continue;
      ArrayBuilder copy(arena_, items.size());
      for (size_t before = 0; before < i; ++before) copy.push(items[before]);
      copy.push(given);
      for (size_t after = i + 1; after < items.size(); ++after) copy.push(of(items[after]));
      return copy.finish();
    }
    return is_copied(items.size()) ? Value::array(arena_.copy(items)) : array;
  }

  Value of_entries(Value hash) {
    bool is_changed = is_copied(hash.as_hash().size);
    for (const HashEntry& entry : hash.as_hash()) {
      is_changed = is_changed || !is_unchanged(entry.key, of(entry.key)) ||
                   !is_unchanged(entry.value, of(entry.value));
      if (!problem_.empty()) return hash;
    }
    if (!is_changed) return hash;
    HashBuilder copy(arena_, hash.as_hash().size);
    for (const HashEntry& entry : hash.as_hash()) copy.set(of(entry.key), of(entry.value));
    return copy.finish();
  }

  bool is_copied(size_t size) const {
    return nesting_.level > 1 && size > 0 && SharedParts<Value>::is_short(nesting_);
  }

  Arena& arena_;
  std::string_view& problem_;
  Nesting nesting_;
  SharedParts<Value> known_;
};

[[noreturn]] void fail_without_place(std::string_view message) {
  throw EvaluationError(make_diagnostic(Issue::kUnusableValue, {}, {std::string(message)}));
}

}  // namespace

Value given_value(Arena& arena, Value value, std::string_view& problem) {
  return GivenValues(arena, problem).of(value);
}

namespace {

// Returns whether the older interface gets the value unchanged when it is nested.
bool is_legacy_value(Value value) {
  static thread_local Nesting nesting;
  const NestingGuard guard(nesting, "a value");
  switch (value.kind()) {
    case ValueKind::kUndef:
    case ValueKind::kBoolean:
    case ValueKind::kInteger:
    case ValueKind::kFloat:
    case ValueKind::kString:
      return true;
    case ValueKind::kArray: {
      const std::span<const Value> items = value.as_array();
      return std::ranges::all_of(items, is_legacy_value);
    }
    case ValueKind::kHash: {
      const HashObject& hash = value.as_hash();
      return std::ranges::all_of(hash, [](const HashEntry& entry) {
        return is_legacy_value(entry.key) && is_legacy_value(entry.value);
      });
    }
    default:
      return false;
  }
}

}  // namespace

Value legacy_argument(Arena& arena, Value value, bool is_nested) {
  if (!is_nested && !value.is_undef() && is_legacy_value(value)) return value;
  static thread_local Nesting nesting;
  const NestingGuard guard(nesting, "a value");
  std::string text;
  switch (value.kind()) {
    case ValueKind::kUndef:
      return is_nested ? value : Value::string("");
    case ValueKind::kRegexp:
      append_ruby_inspect_regexp(text, value.as_regexp());
      return Value::string(arena, text);
    case ValueKind::kSemVer:
    case ValueKind::kSemVerRange:
    case ValueKind::kBinary:
    case ValueKind::kTimespan:
    case ValueKind::kTimestamp:
      append_interpolated(text, value);
      return Value::string(arena, text);
    case ValueKind::kType:
      if (const std::string_view problem = problem_of_reference(*value.as_type());
          !problem.empty()) {
        fail_without_place(problem);
      }
      return given_type(arena, value);
    case ValueKind::kIterator:
      fail_without_place(kIteratorMessage);
    case ValueKind::kArray: {
      ArrayBuilder items(arena, value.as_array().size());
      for (const Value item : value.as_array()) items.push(legacy_argument(arena, item, true));
      return items.finish();
    }
    case ValueKind::kHash: {
      HashBuilder entries(arena, value.as_hash().size);
      for (const HashEntry& entry : value.as_hash()) {
        entries.set(legacy_argument(arena, entry.key, true),
                    legacy_argument(arena, entry.value, true));
      }
      return entries.finish();
    }
    default:
      return value;
  }
}

Value legacy_result(Arena& arena, Value value) {
  if (!value.is_array() && !value.is_hash()) return value;
  static thread_local Nesting nesting;
  const NestingGuard guard(nesting, "a value");
  if (value.is_array()) {
    ArrayBuilder items(arena, value.as_array().size());
    for (const Value item : value.as_array()) items.push(legacy_result(arena, item));
    return items.finish();
  }
  HashBuilder entries(arena, value.as_hash().size);
  for (const HashEntry& entry : value.as_hash()) {
    entries.set(entry.key, legacy_result(arena, entry.value));
  }
  return entries.finish();
}

}  // namespace bunraku
