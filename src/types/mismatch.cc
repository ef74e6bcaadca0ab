#include "types/mismatch.h"

#include <algorithm>
#include <unordered_set>

#include "base/text/text_hash.h"
#include "types/built_in_types.h"
#include "types/mismatch_report.h"
#include "types/relation_parts.h"
#include "types/relations.h"
#include "types/type_text.h"
#include "values/bounds.h"
#include "values/object.h"

namespace bunraku {
namespace {

using Mismatches = std::vector<Mismatch>;

IntegerRange exactly(size_t count) {
  return {static_cast<int64_t>(count), static_cast<int64_t>(count)};
}

// --- unresolved references ----------------------------------------------------------------------

// Searches for a type reference in a type and all it contains.
class UnresolvedFinder {
 public:
  // Returns null when all is resolved.
  const TypeReferenceType* find(const Type* type) {
    if (type == nullptr) return nullptr;
    const NestingGuard guard(nesting_, "a type");
    switch (type->kind) {
      case TypeKind::kTypeReference:
        return &type->as<TypeReferenceType>();
      case TypeKind::kArray:
        return find(type->as<ArrayType>().element);
      case TypeKind::kHash:
        return find_in({type->as<HashType>().key, type->as<HashType>().value});
      case TypeKind::kTuple:
        return find_in(type->as<TupleType>().types);
      case TypeKind::kVariant:
        return find_in(type->as<VariantType>().types);
      case TypeKind::kStruct:
        return find_in_struct(type->as<StructType>());
      case TypeKind::kOptional:
        return find(type->as<OptionalType>().contained);
      case TypeKind::kNotUndef:
        return find(type->as<NotUndefType>().contained);
      case TypeKind::kIterable:
        return find(type->as<IterableType>().contained);
      case TypeKind::kIterator:
        return find(type->as<IteratorType>().contained);
      case TypeKind::kType:
        return find(type->as<TypeType>().contained);
      case TypeKind::kSensitive:
        return find(type->as<SensitiveType>().contained);
      case TypeKind::kInit:
        return find(type->as<InitType>().contained);
      case TypeKind::kCallable: {
        const auto& callable = type->as<CallableType>();
        return find_in({callable.parameters, callable.block, callable.return_type});
      }
      case TypeKind::kTypeAlias:
        return met_.insert(type).second ? find(type->as<TypeAliasType>().resolved) : nullptr;
      case TypeKind::kObject:
        return met_.insert(type).second ? find_in_object(type->as<ObjectType>()) : nullptr;
      default:
        return nullptr;
    }
  }

 private:
  const TypeReferenceType* find_in(std::span<const Type* const> types) {
    for (const Type* type : types) {
      if (const TypeReferenceType* found = find(type)) return found;
    }
    return nullptr;
  }
  const TypeReferenceType* find_in(std::initializer_list<const Type*> types) {
    return find_in(std::span(types.begin(), types.size()));
  }
  const TypeReferenceType* find_in_struct(const StructType& type) {
    for (const StructElement& element : type.elements) {
      if (const TypeReferenceType* found = find(element.value)) return found;
    }
    return nullptr;
  }
  const TypeReferenceType* find_in_object(const ObjectType& type) {
    if (const TypeReferenceType* found = find(type.parent)) return found;
    for (const ObjectMember& member : type.members) {
      if (const TypeReferenceType* found = find(member.type)) return found;
    }
    return nullptr;
  }

  std::unordered_set<const Type*> met_;
  Nesting nesting_;
};

// --- mismatches ---------------------------------------------------------------------------------

Path canonical(const Path& path) {
  Path result;
  for (const PathElement& element : path) {
    if (element.kind != PathKind::kVariant && element.kind != PathKind::kSignature) {
      result.push_back(element);
    }
  }
  return result;
}

Path extended(const Path& path, PathElement element) {
  Path longer = path;
  longer.push_back(element);
  return longer;
}

void chop(Mismatch& mismatch, size_t position) {
  if (position < mismatch.path.size()) {
    mismatch.path.erase(mismatch.path.begin() + static_cast<ptrdiff_t>(position));
  }
}

void append(Mismatches& to, Mismatches more) {
  for (Mismatch& mismatch : more) to.push_back(std::move(mismatch));
}

class Describer {
 public:
  explicit Describer(Arena& arena) : arena_(arena) {}

  Mismatches describe(const Type* expected, const Type* actual, const Path& path) {
    const NestingGuard guard(nesting_, "a type");
    if (const TypeReferenceType* unresolved = UnresolvedFinder().find(expected)) {
      return {{MismatchKind::kUnresolvedType, path, unresolved->text}};
    }
    return describe_normalized(normalize(arena_, expected), expected, actual, path);
  }

  Mismatches describe_arguments(const Signature& signature, const Type* arguments,
                                const Path& path) {
    const TupleType* parameters = signature.type->parameters;
    if (parameters == nullptr) return {};
    if (const auto* tuple = arguments->try_as<TupleType>()) {
      return describe_arguments(signature, tuple->types, exactly(tuple->types.size()), path);
    }
    const auto& array = arguments->as<ArrayType>();
    std::vector<const Type*> all(parameters->types.size(), array.element);
    return describe_arguments(signature, all, array.size, path);
  }

  Mismatches describe_block(const Signature& signature, const Type* arguments, const Path& path) {
    const Type* expected = signature.type->block;
    const auto* tuple = arguments->try_as<TupleType>();
    const Type* last = tuple == nullptr || tuple->types.empty() ? nullptr : tuple->types.back();
    if (last != nullptr && is_kind_of_callable(last)) {
      if (expected == nullptr) return {{MismatchKind::kUnexpectedBlock, path, {}}};
      return describe(expected, last, extended(path, {PathKind::kBlock, "block"}));
    }
    if (expected == nullptr || is_assignable(expected, types::kUndef)) return {};
    return {{MismatchKind::kMissingBlock, path, {}}};
  }

  // Merges the mismatches that are equal on all branches; otherwise all are kept.
  Mismatches merge(size_t position, MismatchKind size_kind,
                   const std::vector<Mismatches>& branches) {
    Mismatches all;
    for (const Mismatches& branch : branches) all.insert(all.end(), branch.begin(), branch.end());
    for (const MismatchKind kind : {size_kind, MismatchKind::kMissingBlock,
                                    MismatchKind::kUnexpectedBlock, MismatchKind::kType}) {
      Mismatches alike;
      for (const Mismatch& mismatch : all) {
        if (is_a(mismatch, kind)) alike.push_back(mismatch);
      }
      if (alike.size() == branches.size() && merge_alike(alike)) {
        all = {std::move(alike.front())};
        break;
      }
    }
    drop_repeated_blocks(all);
    if (all.size() == 1) chop(all.front(), position);
    return all;
  }

 private:
  static bool is_a(const Mismatch& mismatch, MismatchKind kind) {
    if (kind == MismatchKind::kType) return mismatch.is_type();
    if (kind == MismatchKind::kSize) return mismatch.is_size();
    return mismatch.kind == kind;
  }

  Mismatch type_mismatch(const Path& path, const Type* expected, const Type* actual,
                         MismatchKind kind = MismatchKind::kType) {
    return {kind, path, {}, normalize(arena_, expected), normalize(arena_, actual)};
  }
  static Mismatch size_mismatch(MismatchKind kind, const Path& path, IntegerRange expected,
                                IntegerRange actual) {
    return {kind, path, {}, nullptr, nullptr, expected, actual};
  }

  // Merges all into the first, when they are about the same place.
  bool merge_alike(Mismatches& alike) {
    if (alike.empty()) return false;
    Mismatch& merged = alike.front();
    const Path place = canonical(merged.path);
    for (size_t i = 1; i < alike.size(); ++i) {
      if (canonical(alike[i].path) != place) return false;
      if (merged.is_type()) {
        const Type* both[] = {merged.expected, alike[i].expected};
        merged.expected = normalize(arena_, types::variant(arena_, both));
        // As in the reference; the result differs from that of the first time for some types.
        merged.actual = normalize(arena_, merged.actual);
      } else if (merged.is_size()) {
        IntegerRange& size = merged.expected_size;
        const IntegerRange other = alike[i].expected_size;
        size = {std::min(size_from(size), size_from(other)), std::max(size.to, other.to)};
      }
    }
    return true;
  }

  static void drop_repeated_blocks(Mismatches& all) {
    Mismatches unique;
    for (Mismatch& mismatch : all) {
      const bool about_block = mismatch.kind == MismatchKind::kMissingBlock ||
                               mismatch.kind == MismatchKind::kUnexpectedBlock;
      const bool repeats =
          about_block && std::ranges::any_of(unique, [&](const auto& m) {
            return m.kind == mismatch.kind && canonical(m.path) == canonical(mismatch.path);
          });
      if (!repeats) unique.push_back(std::move(mismatch));
    }
    all.swap(unique);
  }

  // `original` is the expected type before aliases and Optional were resolved.
  Mismatches describe_normalized(const Type* expected, const Type* original, const Type* actual,
                                 const Path& path) {
    switch (expected->kind) {
      case TypeKind::kVariant:
        return describe_variant(expected->as<VariantType>(), original, actual, path);
      case TypeKind::kStruct:
        return describe_struct(expected->as<StructType>(), original, actual, path);
      case TypeKind::kHash:
        return describe_hash(expected->as<HashType>(), original, actual, path);
      case TypeKind::kTuple:
        return describe_tuple(expected->as<TupleType>(), original, actual, path,
                              MismatchKind::kSize);
      case TypeKind::kArray:
        return describe_array(expected->as<ArrayType>(), original, actual, path);
      case TypeKind::kCallable:
        return describe_callable(expected->as<CallableType>(), original, actual, path);
      case TypeKind::kOptional: {
        const Type* contained = expected->as<OptionalType>().contained;
        if (actual->kind == TypeKind::kUndef || contained == nullptr) return {};
        const bool is_alias = original->kind == TypeKind::kTypeAlias;
        return describe_normalized(contained, is_alias ? original : expected, actual, path);
      }
      case TypeKind::kPattern:
      case TypeKind::kEnum:
        return {type_mismatch(path, original, actual, MismatchKind::kPattern)};
      case TypeKind::kTypeAlias: {
        const Type* resolved = resolved_type(expected->as<TypeAliasType>());
        const NestingGuard guard(nesting_, "a type");
        return describe_normalized(normalize(arena_, resolved), expected, actual, path);
      }
      default:
        if (is_assignable(expected, actual)) return {};
        return {type_mismatch(path, original, actual)};
    }
  }

  Mismatches describe_variant(const VariantType& expected, const Type* original, const Type* actual,
                              const Path& path) {
    std::vector<const Type*> options(expected.types.begin(), expected.types.end());
    if (original->kind == TypeKind::kOptional) options.insert(options.begin(), types::kUndef);
    std::vector<Mismatches> branches;
    for (size_t i = 0; i < options.size(); ++i) {
      Mismatches branch = describe(options[i], actual, extended(path, {PathKind::kVariant, {}, i}));
      if (branch.empty()) return {};
      branches.push_back(std::move(branch));
    }
    Mismatches merged = merge(path.size(), MismatchKind::kSize, branches);
    if (original->kind == TypeKind::kTypeAlias && merged.size() == 1) {
      return {type_mismatch(path, original, actual)};
    }
    return merged;
  }

  Mismatches describe_array(const ArrayType& expected, const Type* original, const Type* actual,
                            const Path& path) {
    if (const auto* tuple = actual->try_as<TupleType>()) {
      const IntegerRange size = tuple->size_given ? tuple->size : exactly(tuple->types.size());
      if (!covers_size(expected.size, size)) {
        return {size_mismatch(MismatchKind::kSize, path, expected.size, size)};
      }
      Mismatches result;
      for (size_t i = 0; i < tuple->types.size(); ++i) {
        if (is_assignable(expected.element, tuple->types[i])) continue;
        append(result, describe(expected.element, tuple->types[i],
                                extended(path, {PathKind::kIndex, {}, i})));
      }
      return result;
    }
    const auto* array = actual->try_as<ArrayType>();
    if (array == nullptr) return {type_mismatch(path, original, actual)};
    if (covers_size(expected.size, array->size)) {
      return {type_mismatch(path, original, types::array(arena_, array->element))};
    }
    return {size_mismatch(MismatchKind::kSize, path, expected.size, array->size)};
  }

  static bool is_required(const StructElement& element) {
    return element.key->kind != TypeKind::kOptional;
  }
  static IntegerRange sizes_of(const StructType& type) {
    auto required = std::count_if(type.elements.begin(), type.elements.end(), is_required);
    return {required, static_cast<int64_t>(type.elements.size())};
  }

  Mismatches describe_hash(const HashType& expected, const Type* original, const Type* actual,
                           const Path& path) {
    if (const auto* structure = actual->try_as<StructType>()) {
      const IntegerRange size = sizes_of(*structure);
      if (!covers_size(expected.size, size)) {
        return {size_mismatch(MismatchKind::kSize, path, expected.size, size)};
      }
      Mismatches result;
      for (const StructElement& element : structure->elements) {
        describe_entry(result, expected.key, expected.value, element, path);
      }
      return result;
    }
    return describe_hash_against(expected.size, original, actual, path);
  }

  void describe_entry(Mismatches& result, const Type* key, const Type* value,
                      const StructElement& element, const Path& path) {
    if (!is_assignable(key, element.key)) {
      append(result,
             describe(key, element.key, extended(path, {PathKind::kEntryKey, element.name})));
    }
    if (!is_assignable(value, element.value)) {
      append(result,
             describe(value, element.value, extended(path, {PathKind::kEntryValue, element.name})));
    }
  }

  // Describes a hash type with only the types of keys and values.
  Mismatches describe_hash_against(IntegerRange size, const Type* original, const Type* actual,
                                   const Path& path) {
    const auto* hash = actual->try_as<HashType>();
    if (hash == nullptr) return {type_mismatch(path, original, actual)};
    if (covers_size(size, hash->size)) {
      return {type_mismatch(path, original, types::hash(arena_, hash->key, hash->value))};
    }
    return {size_mismatch(MismatchKind::kSize, path, size, hash->size)};
  }

  Mismatches describe_struct(const StructType& expected, const Type* original, const Type* actual,
                             const Path& path) {
    const auto* structure = actual->try_as<StructType>();
    if (structure == nullptr) {
      return describe_hash_against(sizes_of(expected), original, actual, path);
    }
    Mismatches result;
    std::vector<bool> met(structure->elements.size());
    for (const StructElement& wanted : expected.elements) {
      size_t at = 0;
      while (at < met.size() && (met[at] || structure->elements[at].name != wanted.name)) ++at;
      if (at == met.size()) {
        if (is_required(wanted)) result.push_back({MismatchKind::kMissingKey, path, wanted.name});
        continue;
      }
      met[at] = true;
      describe_entry(result, wanted.key, wanted.value, structure->elements[at], path);
    }
    for (size_t i = 0; i < met.size(); ++i) {
      if (met[i]) continue;
      result.push_back({MismatchKind::kExtraneousKey, path, structure->elements[i].name});
    }
    return result;
  }

  Mismatches describe_tuple(const TupleType& expected, const Type* original, const Type* actual,
                            const Path& path, MismatchKind size_kind) {
    if (same_type(&expected, actual)) return {};
    const auto* array = actual->try_as<ArrayType>();
    if (expected.types.empty() && array != nullptr) return {};
    if (const auto* tuple = actual->try_as<TupleType>()) {
      if (!covers_size(expected.size, tuple->size)) {
        return {size_mismatch(size_kind, path, expected.size, tuple->size)};
      }
      Mismatches result;
      if (expected.types.empty()) return result;
      for (size_t i = 0; i < tuple->types.size(); ++i) {
        const size_t at = std::min(i, expected.types.size() - 1);
        append(result, describe(expected.types[at], tuple->types[i],
                                extended(path, {PathKind::kIndex, {}, at})));
      }
      return result;
    }
    if (array == nullptr) return {type_mismatch(path, original, actual)};
    if (!covers_size(expected.size, array->size)) {
      return {size_mismatch(size_kind, path, expected.size, array->size)};
    }
    Mismatches result;
    for (size_t i = 0; i < expected.types.size(); ++i) {
      append(result, describe(expected.types[i], array->element,
                              extended(path, {PathKind::kIndex, {}, i})));
    }
    return result;
  }

  Mismatches describe_callable(const CallableType& expected, const Type* original,
                               const Type* actual, const Path& path) {
    const auto* callable = actual->try_as<CallableType>();
    if (callable == nullptr) return {type_mismatch(path, original, actual)};
    if (expected.parameters == nullptr && expected.return_type == nullptr) return {};
    if (expected.parameters != nullptr) {
      if (callable->parameters == nullptr) return {type_mismatch(path, original, actual)};
      Mismatches result = describe_tuple(*expected.parameters, expected.parameters,
                                         callable->parameters, path, MismatchKind::kCount);
      if (!result.empty()) return result;
    }
    auto or_else = [](const Type* type, const Type* other) {
      return type == nullptr ? other : type;
    };
    const Type* returned = or_else(expected.return_type, types::kAny);
    const Type* actual_returned = or_else(callable->return_type, types::kAny);
    if (!is_assignable(returned, actual_returned)) {
      return {
          type_mismatch(extended(path, {PathKind::kReturn, "return"}), returned, actual_returned)};
    }
    const Type* block = or_else(expected.block, types::kUndef);
    const Type* actual_block = or_else(callable->block, types::kUndef);
    if (is_assignable(actual_block, block)) return {};
    return {type_mismatch(extended(path, {PathKind::kBlock, "block"}), block, actual_block)};
  }

  Mismatches describe_arguments(const Signature& signature, std::span<const Type* const> arguments,
                                IntegerRange size, const Path& path) {
    const TupleType& parameters = *signature.type->parameters;
    size_t count = arguments.size();
    if (count > 0 && is_kind_of_callable(arguments.back())) {
      --count;
      size = exactly(count);
    }
    if (!covers_size(parameters.size, size)) {
      return {size_mismatch(MismatchKind::kCount, path, parameters.size, size)};
    }
    if (parameters.types.empty()) return {};
    for (size_t i = 0; i < count; ++i) {
      const size_t at = std::min(i, parameters.types.size() - 1);
      const Type* expected = parameters.types[at];
      if (is_assignable(expected, arguments[i])) continue;
      const std::string_view name =
          at < signature.parameters.size() ? signature.parameters[at].name : std::string_view();
      Mismatches found =
          describe(expected, arguments[i], extended(path, {PathKind::kParameter, name}));
      if (!found.empty()) return found;
    }
    return {};
  }

  Arena& arena_;
  Nesting nesting_;
};

// --- signatures ---------------------------------------------------------------------------------

std::string parameter_text(const Signature& signature, size_t index) {
  const TupleType& tuple = *signature.type->parameters;
  const Type* type = index < tuple.types.size() ? tuple.types[index] : tuple.types.back();
  const size_t count = signature.parameters.size();
  std::string_view indicator;
  if (tuple.size.to == kMaxInteger && index + 1 == count) {
    indicator = size_from(tuple.size) == static_cast<int64_t>(count) ? "+" : "*";
  } else if (static_cast<int64_t>(index) + 1 > size_from(tuple.size)) {
    indicator = "?";
    if (const auto* optional = type->try_as<OptionalType>()) type = optional->contained;
  }
  return (type == nullptr ? std::string() : to_display_text(type)) + " " +
         std::string(signature.parameters[index].name) + std::string(indicator);
}

std::string signature_text(const Signature& signature) {
  const TupleType* tuple = signature.type->parameters;
  if (tuple == nullptr || (size_from(tuple->size) == 0 && tuple->size.to == 0)) return {};
  std::string text;
  for (size_t i = 0; i < signature.parameters.size() && !tuple->types.empty(); ++i) {
    if (i > 0) text += ", ";
    text += parameter_text(signature, i);
  }
  const Type* block = signature.type->block;
  if (block == nullptr) return text;
  const auto* optional = block->try_as<OptionalType>();
  if (optional == nullptr && block->kind != TypeKind::kCallable) return text;
  if (!text.empty()) text += ", ";
  text += to_display_text(optional == nullptr ? block : optional->contained) + " " +
          std::string(signature.block_name);
  return optional == nullptr ? text : text + "?";
}

// The type of the arguments as in the reference: a Tuple with the block at its end, or an empty
// Array for no arguments.
const Type* type_of_arguments(Arena& arena, std::span<const Value> arguments,
                              const CallableType* block) {
  if (arguments.empty() && block == nullptr) return infer_detailed(arena, Value::array({}));
  std::vector<const Type*> all;
  for (const Value argument : arguments) all.push_back(infer_detailed(arena, argument));
  if (block != nullptr) all.push_back(block);
  return types::tuple(arena, all);
}

std::vector<Mismatches> describe_each(Describer& describer, std::span<const Signature> signatures,
                                      const Type* arguments) {
  std::vector<Mismatches> errors;
  for (size_t i = 0; i < signatures.size(); ++i) {
    errors.push_back(
        describer.describe_arguments(signatures[i], arguments, {{PathKind::kSignature, {}, i}}));
  }
  auto is_empty = [](const Mismatches& list) { return list.empty(); };
  if (std::ranges::none_of(errors, is_empty)) return errors;
  // One of the signatures accepts the arguments, so the block is the problem.
  std::vector<Mismatches> blocks;
  for (size_t i = 0; i < signatures.size(); ++i) {
    blocks.push_back(
        describer.describe_block(signatures[i], arguments, {{PathKind::kSignature, {}, i}}));
  }
  if (std::ranges::none_of(blocks, is_empty)) return blocks;
  for (size_t i = 0; i < errors.size(); ++i) {
    if (errors[i].empty()) errors[i] = std::move(blocks[i]);
  }
  return errors;
}

std::string rejections(Arena& arena, const Mismatches& errors, std::string_view indent) {
  std::string text;
  for (Mismatch mismatch : errors) {
    chop(mismatch, 0);
    text += "\n";
    text += indent;
    text += "rejected:" + format(arena, mismatch);
  }
  return text;
}

std::string joined(Arena& arena, const Mismatches& mismatches) {
  std::string text;
  for (const Mismatch& mismatch : mismatches) {
    if (!text.empty()) text += "\n ";
    text += format(arena, mismatch);
  }
  return text;
}

std::string with_subject(Arena& arena, std::string_view subject, const Mismatches& mismatches) {
  if (mismatches.empty()) return {};
  std::string text(subject);
  text += mismatches.size() == 1 ? ":" : ":\n ";
  return text + joined(arena, mismatches);
}

}  // namespace

bool is_deferred(Value value) {
  return value.is_object() && object_type_of(value.as_object().type) == types::kDeferred;
}

bool may_fit(const Type* expected, const Type* returned) {
  Arena arena;
  return is_assignable(generalize(arena, expected), generalize(arena, returned));
}

bool is_kind_of_callable(const Type* type, bool optional) {
  static thread_local Nesting nesting;
  const NestingGuard guard(nesting, "a value");
  type = resolve_alias(type);
  switch (type->kind) {
    case TypeKind::kCallable:
      return true;
    case TypeKind::kOptional: {
      const Type* contained = type->as<OptionalType>().contained;
      return optional && contained != nullptr && is_kind_of_callable(contained, optional);
    }
    case TypeKind::kVariant: {
      const auto& types = type->as<VariantType>().types;
      return std::ranges::all_of(
          types, [optional](const Type* option) { return is_kind_of_callable(option, optional); });
    }
    default:
      return false;
  }
}

std::string describe_mismatch(std::string_view subject, const Type* expected, const Type* actual) {
  Arena arena;
  const Mismatches found =
      Describer(arena).describe(expected, actual, {{PathKind::kSubject, subject}});
  std::string text = joined(arena, found);
  if (found.size() != 1) return text;
  // A single message has no surrounding blanks.
  const size_t begin = text.find_first_not_of(" \t\n\v\f\r");
  const size_t end = text.find_last_not_of(" \t\n\v\f\r");
  return begin == std::string::npos ? std::string() : text.substr(begin, end - begin + 1);
}

std::string describe_mismatch(std::string_view subject, const Type* expected, Value actual) {
  Arena arena;
  return describe_mismatch(subject, expected, infer_detailed(arena, actual));
}

std::string describe_call_mismatch(std::string_view callee, std::span<const Signature> signatures,
                                   std::span<const Value> arguments, const CallableType* block) {
  Arena arena;
  Describer describer(arena);
  const Type* given = type_of_arguments(arena, arguments, block);
  std::vector<Mismatches> errors = describe_each(describer, signatures, given);
  Mismatches merged = describer.merge(0, MismatchKind::kCount, errors);
  if (merged.size() == 1) return std::string(callee) + format(arena, merged.front());
  if (signatures.size() == 1) {
    return std::string(callee) + " expects (" + signature_text(signatures[0]) + ")" +
           rejections(arena, errors[0], "  ");
  }
  std::string text = "The function " + std::string(callee) +
                     " was called with arguments it does not accept. It expects one of:";
  for (size_t i = 0; i < signatures.size(); ++i) {
    text += "\n  (" + signature_text(signatures[i]) + ")" + rejections(arena, errors[i], "    ");
  }
  return text;
}

namespace {

// The names in `given` without a parameter, in their order.
std::vector<std::string_view> unknown_names(std::span<const SignatureParameter> parameters,
                                            const HashObject& given) {
  std::vector<std::string_view> unknown;
  // For few names, a linear search is faster than building a table.
  constexpr size_t kFew = 64;
  std::unordered_set<std::string_view, TextHash> known;
  if (parameters.size() > kFew && given.size > 1) {
    for (const SignatureParameter& parameter : parameters) known.insert(parameter.name);
  }
  for (const HashEntry& entry : given) {
    const std::string_view name = entry.key.as_string();
    const bool is_known =
        known.empty()
            ? std::ranges::find(parameters, name, &SignatureParameter::name) != parameters.end()
            : known.contains(name);
    if (!is_known) unknown.push_back(name);
  }
  return unknown;
}

}  // namespace

std::string describe_parameters_mismatch(std::string_view subject,
                                         std::span<const SignatureParameter> parameters,
                                         const HashObject& given, bool missing_ok,
                                         DeferredTypes& deferred) {
  Arena arena;
  Describer describer(arena);
  Mismatches found;
  for (const std::string_view name : unknown_names(parameters, given)) {
    found.push_back({MismatchKind::kInvalidParameter, {}, name});
  }
  for (const SignatureParameter& parameter : parameters) {
    const Value* value = given.find(parameter.name);
    const Path path = {{PathKind::kParameter, parameter.name}};
    const Type* expected = parameter.type == nullptr ? types::kAny : parameter.type;
    if (value == nullptr) {
      if (!missing_ok && !parameter.has_default) {
        found.push_back({MismatchKind::kMissingParameter, {}, parameter.name});
      }
    } else if (is_deferred(*value)) {
      const Type* type = deferred.return_type(value->as_object());
      if (type != nullptr && !may_fit(expected, type)) {
        append(found, describer.describe(expected, type, path));
      }
    } else if (!is_instance(expected, *value)) {
      append(found, describer.describe(expected, infer_detailed(arena, *value), path));
    }
  }
  return with_subject(arena, subject, found);
}

std::string describe_default_mismatch(std::string_view subject, std::string_view parameter,
                                      const Type* expected, Value value) {
  if (is_instance(expected, value)) return {};
  Arena arena;
  const Type* actual = generalize(arena, infer_detailed(arena, value));
  return with_subject(
      arena, subject,
      Describer(arena).describe(expected, actual, {{PathKind::kParameter, parameter}}));
}

}  // namespace bunraku
