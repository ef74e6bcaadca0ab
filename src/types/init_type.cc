// Init[T, args...]: the values that T.new accepts.

#include <algorithm>
#include <string>
#include <vector>

#include "base/diagnostics/diagnostic.h"
#include "types/built_in_types.h"
#include "types/new_signatures.h"
#include "types/object_init.h"
#include "types/relation_parts.h"
#include "types/relations.h"
#include "types/type_error.h"
#include "types/type_text.h"
#include "values/bounds.h"
#include "values/object.h"
#include "values/shared_parts.h"
#include "values/type.h"

namespace bunraku {
namespace {

using Tuples = std::vector<const TupleType*>;

// The argument lists of `new`: by position, required ones first, or by name in a hash.
Tuples object_constructors(Arena& arena, const ObjectType& type) {
  const StructType* hash = init_hash_type(arena, type);
  std::vector<const Type*> required, optional;
  for (const StructElement& element : hash->elements) {
    (element.key->kind == TypeKind::kOptional ? optional : required).push_back(element.value);
  }
  const IntegerRange size{static_cast<int64_t>(required.size()),
                          static_cast<int64_t>(hash->elements.size())};
  required.insert(required.end(), optional.begin(), optional.end());
  const Type* by_name = hash;
  constexpr IntegerRange kOne{1, 1};
  return {&types::tuple(arena, std::span(&by_name, 1), &kOne)->as<TupleType>(),
          &types::tuple(arena, required, &size)->as<TupleType>()};
}

// The types that T.new accepts, as the single argument or as an array of arguments.
class InitForms {
 public:
  explicit InitForms(const InitType& type) : type_(type) {
    single_.push_back(type.contained);
    const Tuples constructors = constructors_of(type.contained);
    if (type.arguments.empty()) {
      for (const TupleType* tuple : constructors) sort(*tuple);
    } else {
      keep_fitting(constructors);
    }
  }

  template <typename Takes>
  bool any_single(Takes takes) const {
    return std::any_of(single_.begin(), single_.end(), takes);
  }
  template <typename Takes>
  bool any_other(Takes takes) const {
    return std::any_of(others_.begin(), others_.end(), takes);
  }
  bool has_optional_single() const { return has_optional_single_; }
  Arena& arena() { return arena_; }

 private:
  Tuples constructors_of(const Type* type) {
    const Type* resolved = resolve_alias(type);
    const TypeKind kind = resolved->kind;
    const bool refused = type->kind == TypeKind::kInit || type->kind == TypeKind::kOptional ||
                         type->kind == TypeKind::kNotUndef;
    if (!refused && kind == TypeKind::kObject) {
      return object_constructors(arena_, *object_type_of(resolved));
    }
    const NewSignatures* signatures = refused ? nullptr : find_new_signatures(resolved);
    if (signatures == nullptr) {
      fail_with(Issue::kNotCreatable, {to_display_text(type)});
    }
    Tuples tuples;
    for (const Signature& signature : signatures->listed()) {
      tuples.push_back(signature.type->parameters);
    }
    return tuples;
  }

  void sort(const TupleType& tuple) {
    if (size_from(tuple.size) == 1 && tuple.size.to == 1) {
      single_.push_back(tuple.types[0]);
      return;
    }
    others_.push_back(&tuple);
    has_optional_single_ |= std::min(size_from(tuple.size), tuple.size.to) == 1;
  }

  // With further arguments, keeps the constructors that accept them after the value.
  void keep_fitting(const Tuples& constructors) {
    std::vector<const Type*> arguments = {nullptr};
    for (const Value argument : type_.arguments)
      arguments.push_back(infer_detailed(arena_, argument));
    bool any = false;
    for (const TupleType* tuple : constructors) {
      if (tuple->types.empty() || !contains_size(tuple->size, arguments.size())) continue;
      arguments[0] = tuple->types[0];
      if (!is_assignable(tuple, types::tuple(arena_, arguments))) continue;
      single_.push_back(tuple->types[0]);
      any = true;
    }
    if (any) return;
    const ObjectType* object = object_type_of(type_.contained);
    fail_with(
        Issue::kInvalidTypeParameter,
        {"The type '" + to_text(&type_) + "' does not represent a valid set of parameters for " +
         std::string(object ? object->name : name_of(resolve_alias(type_.contained)->kind)) +
         ".new()"});
  }

  const InitType& type_;
  Arena arena_;
  std::vector<const Type*> single_;
  Tuples others_;
  bool has_optional_single_ = false;
};

// The questions about Init types in progress on the calling thread. A type that contains an Init of
// itself repeats a question, possibly without end for nested values.
class Asking {
 public:
  Asking(const Type* contained, const void* subject, uint64_t detail)
      : question_{contained, subject, detail} {
    State& state = state_of_thread();
    is_repeated_ = std::ranges::find(state.open, question_) != state.open.end();
    if (state.open.size() == kDeepest) fail_too_deep("a type", kDeepest);
    if (++state.asked > kMostAsked) {
      throw EvaluationError(
          make_diagnostic(Issue::kTooLarge, {}, {"A type", std::to_string(kMostAsked), "parts"}));
    }
    state.open.push_back(question_);
  }
  ~Asking() {
    State& state = state_of_thread();
    state.open.pop_back();
    if (state.open.empty()) state.asked = 0;
  }
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;

  // A repeated question is answered with no: it is true only if something else shows it.
  bool is_repeated() const { return is_repeated_; }

 private:
  static constexpr uint32_t kDeepest = 100;
  static constexpr uint32_t kMostAsked = 10'000;

  struct Question {
    const Type* contained;
    const void* subject;
    uint64_t detail;
    bool operator==(const Question&) const = default;
  };
  struct State {
    std::vector<Question> open;
    uint32_t asked = 0;
  };
  static State& state_of_thread() {
    thread_local State state;
    return state;
  }

  Question question_;
  bool is_repeated_;
};

// The temporary identity of a value.
PartIdentity scalar_or_part_identity(Value value) {
  if (value.is_string()) {
    const std::string_view text = value.as_string();
    return {text.data(), static_cast<uint32_t>(text.size())};
  }
  static constexpr char kKinds[32] = {};
  const PartIdentity part = part_identity(value);
  return part.elements != nullptr ? part
                                  : PartIdentity{&kKinds[static_cast<size_t>(value.kind())], 0};
}

}  // namespace

bool init_takes(const InitType& type, const Type* from) {
  if (type.contained == nullptr) {
    const auto* other = from->try_as<InitType>();
    return other != nullptr || is_assignable(types::kRichData, from);
  }
  const Asking asking(type.contained, from, 0);
  if (asking.is_repeated()) return false;
  InitForms forms(type);
  if (const auto* other = from->try_as<InitType>()) {
    return other->contained != nullptr && is_assignable(type.contained, other->contained);
  }
  if (forms.any_single([&](const Type* wanted) { return is_assignable(wanted, from); }))
    return true;
  if (forms.any_other([&](const Type* wanted) { return is_assignable(wanted, from); })) return true;
  if (!forms.has_optional_single()) return false;
  const Type* listed = types::tuple(forms.arena(), std::span(&from, 1));
  return forms.any_other([&](const Type* wanted) { return is_assignable(wanted, listed); });
}

bool init_takes(const InitType& type, Value value) {
  if (type.contained == nullptr) return is_instance(types::kRichData, value);
  const PartIdentity identity = scalar_or_part_identity(value);
  const Asking asking(type.contained, identity.elements, identity.size);
  if (asking.is_repeated()) return false;
  InitForms forms(type);
  if (forms.any_single([&](const Type* wanted) { return is_instance(wanted, value); })) return true;
  if (forms.any_other([&](const Type* wanted) { return is_instance(wanted, value); })) return true;
  if (!forms.has_optional_single()) return false;
  Value listed = Value::array(forms.arena(), {value});
  return forms.any_other([&](const Type* wanted) { return is_instance(wanted, listed); });
}

}  // namespace bunraku
