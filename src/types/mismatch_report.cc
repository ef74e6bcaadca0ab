#include "types/mismatch_report.h"

#include <algorithm>

#include "base/text/number_text.h"
#include "types/built_in_types.h"
#include "types/relations.h"
#include "types/type_text.h"

namespace bunraku {
namespace {

void append_element(std::string& out, const PathElement& element) {
  auto quoted = [&](std::string_view before) {
    out += before;
    out += " '";
    out += element.name;
    out += '\'';
  };
  switch (element.kind) {
    case PathKind::kSubject:
      out += element.name;
      break;
    case PathKind::kEntryValue:
      quoted("entry");
      break;
    case PathKind::kEntryKey:
      quoted("key of entry");
      break;
    case PathKind::kParameter:
      quoted("parameter");
      break;
    case PathKind::kReturn:
      out += "return";
      break;
    case PathKind::kBlock:
      out += "block";
      break;
    case PathKind::kIndex:
      out += "index " + std::to_string(element.index);
      break;
    case PathKind::kVariant:
      out += "variant " + std::to_string(element.index);
      break;
    case PathKind::kSignature:
      out += std::to_string(element.index + 1) + ".";
      break;
  }
}

std::string_view article(std::string_view text) {
  while (!text.empty() && (text.front() == '"' || text.front() == '\'')) text.remove_prefix(1);
  constexpr std::string_view kVowels = "aeiouyAEIOUY";
  const bool vowel = !text.empty() && kVowels.find(text.front()) != std::string_view::npos;
  return vowel ? "an" : "a";
}

// --- names of types -----------------------------------------------------------------------------

std::string_view last_segment(std::string_view name) {
  const size_t colons = name.rfind("::");
  return colons == std::string_view::npos ? name : name.substr(colons + 2);
}

std::string_view simple_name(const Type* type) {
  const auto* object = type->try_as<ObjectType>();
  if (object != nullptr && !object->name.empty()) return last_segment(object->name);
  return bunraku::name_of(type->kind);
}

std::string_view name_of(const Type* type) {
  if (const auto* alias = type->try_as<TypeAliasType>()) return alias->name;
  if (const auto* set = type->try_as<TypeSetType>()) return set->name;
  const auto* object = type->try_as<ObjectType>();
  if (object != nullptr && object->base == nullptr && !object->name.empty()) return object->name;
  return simple_name(type);
}

const Type* contained_of(const Type* type) {
  switch (type->kind) {
    case TypeKind::kOptional:
      return type->as<OptionalType>().contained;
    case TypeKind::kNotUndef:
      return type->as<NotUndefType>().contained;
    case TypeKind::kIterable:
      return type->as<IterableType>().contained;
    case TypeKind::kIterator:
      return type->as<IteratorType>().contained;
    case TypeKind::kType:
      return type->as<TypeType>().contained;
    case TypeKind::kSensitive:
      return type->as<SensitiveType>().contained;
    case TypeKind::kInit:
      return type->as<InitType>().contained;
    default:
      return nullptr;
  }
}

// The name with one level of contained types: Type[Integer] for Type[Integer[1, 2]].
std::string short_name(const Type* type) {
  std::string text(name_of(type));
  const Type* contained = contained_of(type);
  if (contained == nullptr || contained->kind == TypeKind::kAny) return text;
  // An Object type without a name is shown as empty here.
  const auto* object = contained->try_as<ObjectType>();
  const bool is_nameless = object != nullptr && object->base == nullptr && object->name.empty();
  return text + "[" + (is_nameless ? std::string() : std::string(name_of(contained))) + "]";
}

// The type of a kind without parameters; null for kinds such as Optional that have none.
const Type* default_of_kind(TypeKind kind) {
  switch (kind) {
    case TypeKind::kUnit:
      return types::kUnit;
    case TypeKind::kTypeAlias:
    case TypeKind::kTypeReference:
      return nullptr;
    default:
      break;
  }
  std::string lower;
  for (const char c : bunraku::name_of(kind))
    lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return types::find_builtin(lower);
}

// --- how much to say ----------------------------------------------------------------------------

bool is_same_class(const Type* a, const Type* b) {
  if (a->kind != b->kind) return false;
  const auto* object = a->try_as<ObjectType>();
  return object == nullptr || (object->base == nullptr) == (b->as<ObjectType>().base == nullptr);
}

bool is_always_detailed(const Type* expected, const Type* actual) {
  if (is_same_class(expected, actual) || expected->kind == TypeKind::kTypeAlias ||
      actual->kind == TypeKind::kTypeAlias) {
    return true;
  }
  return (expected->kind == TypeKind::kStruct && actual->kind == TypeKind::kHash) ||
         (expected->kind == TypeKind::kTuple && actual->kind == TypeKind::kArray);
}

bool is_of_kind(const Type* expected, const Type* actual) {
  if (const auto* alias = expected->try_as<TypeAliasType>()) {
    if (alias->resolved != nullptr) expected = alias->resolved;
  }
  // The reference has no plain form of a parameterised Object type and uses Any.
  const auto* object = expected->try_as<ObjectType>();
  if (object != nullptr && object->base != nullptr) return true;
  const Type* wide = default_of_kind(expected->kind);
  return wide != nullptr && is_assignable(wide, actual);
}

bool is_reported_in_detail(std::span<const Type* const> expected, const Type* actual) {
  auto any = [&](auto predicate) {
    return std::any_of(expected.begin(), expected.end(),
                       [&](const Type* type) { return predicate(type, actual); });
  };
  return any(is_always_detailed) || any(is_of_kind);
}

std::string detailed_actual(Arena& arena, std::span<const Type* const> expected,
                            const Type* actual) {
  const Type* general = generalize(arena, actual);
  bool detailed = std::ranges::any_of(
      expected, [&](const Type* type) { return is_always_detailed(resolve_alias(type), actual); });
  detailed = detailed || std::ranges::any_of(expected, [&](const Type* type) {
               return is_assignable(resolve_alias(type), general);
             });
  return detailed ? to_expanded_text(actual) : std::string(simple_name(actual));
}

std::string enumerated(const std::vector<std::string>& names) {
  if (names.size() == 1) return names[0];
  if (names.size() == 2) return names[0] + " or " + names[1];
  std::string text;
  for (size_t i = 0; i + 1 < names.size(); ++i) text += names[i] + ", ";
  return text + "or " + names.back();
}

std::string type_message(Arena& arena, const Mismatch& mismatch) {
  const Type* expected = mismatch.expected;
  const auto* optional = expected->try_as<OptionalType>();
  if (optional != nullptr && optional->contained != nullptr) expected = optional->contained;
  const auto* variant = expected->try_as<VariantType>();
  const std::span<const Type* const> options =
      variant == nullptr ? std::span<const Type* const>(&expected, 1) : variant->types;

  std::vector<std::string> names;
  if (optional != nullptr) names.push_back("Undef");
  std::string actual;
  if (is_reported_in_detail(options, mismatch.actual)) {
    actual = detailed_actual(arena, options, mismatch.actual);
    for (const Type* type : options) names.push_back(to_expanded_text(type));
  } else {
    actual = short_name(mismatch.actual);
    const size_t first = names.size();
    for (const Type* type : options) {
      std::string name = short_name(type);
      if (std::find(names.begin() + static_cast<ptrdiff_t>(first), names.end(), name) ==
          names.end()) {
        names.push_back(std::move(name));
      }
    }
  }
  if (names.size() > 1) {
    return " expects a value of type " + enumerated(names) + ", got " + actual;
  }
  const std::string name = names.empty() ? std::string() : names[0];
  return " expects " + std::string(article(name)) + " " + name + " value, got " + actual;
}

std::string pattern_message(const Mismatch& mismatch) {
  const Type* expected = mismatch.expected;
  std::string text = " expects ";
  const auto* optional = expected->try_as<OptionalType>();
  if (optional != nullptr && optional->contained != nullptr) {
    expected = optional->contained;
    text += "an undef value or ";
  }
  text += "a match for " + to_expanded_text(expected) + ", got ";
  const auto* string = mismatch.actual->try_as<StringType>();
  if (string != nullptr && string->value != nullptr) {
    return text + "'" + std::string(*string->value) + "'";
  }
  return text + short_name(mismatch.actual);
}

std::string size_text(IntegerRange range, std::string_view zero) {
  const int64_t from = size_from(range);
  if (from == range.to) return from == 0 ? std::string(zero) : std::to_string(from);
  if (from == 0) {
    return range.to == kMaxInteger ? "unlimited" : "at most " + std::to_string(range.to);
  }
  if (range.to == kMaxInteger) return "at least " + std::to_string(from);
  return "between " + std::to_string(from) + " and " + std::to_string(range.to);
}

std::string count_message(const Mismatch& mismatch) {
  const int64_t from = size_from(mismatch.expected_size);
  const int64_t to = mismatch.expected_size.to;
  const bool is_one = (from == 1 && (to == 1 || to == kMaxInteger)) || (from == 0 && to == 1);
  return " expects " + size_text(mismatch.expected_size, "no") + " argument" + (is_one ? "" : "s") +
         ", got " + size_text(mismatch.actual_size, "none");
}

std::string message(Arena& arena, const Mismatch& mismatch) {
  const std::string key(mismatch.key);
  switch (mismatch.kind) {
    case MismatchKind::kMissingKey:
      return " expects a value for key '" + key + "'";
    case MismatchKind::kMissingParameter:
      return " expects a value for parameter '" + key + "'";
    case MismatchKind::kExtraneousKey:
      return " unrecognized key '" + key + "'";
    case MismatchKind::kInvalidParameter:
      return " has no parameter named '" + key + "'";
    case MismatchKind::kUnexpectedBlock:
      return " does not expect a block";
    case MismatchKind::kMissingBlock:
      return " expects a block";
    case MismatchKind::kUnresolvedType:
      return " references an unresolved type '" + key + "'";
    case MismatchKind::kType:
      return type_message(arena, mismatch);
    case MismatchKind::kPattern:
      return pattern_message(mismatch);
    case MismatchKind::kSize:
      return " expects size to be " + size_text(mismatch.expected_size, "0") + ", got " +
             size_text(mismatch.actual_size, "0");
    case MismatchKind::kCount:
      return count_message(mismatch);
  }
  return {};
}

}  // namespace

std::string format(Arena& arena, const Mismatch& mismatch) {
  std::string text;
  for (const PathElement& element : mismatch.path) {
    text += ' ';
    append_element(text, element);
  }
  return text + message(arena, mismatch);
}

}  // namespace bunraku
