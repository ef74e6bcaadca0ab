// The implementations of Type.new, by signature.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "types/mismatch.h"
#include "types/new_signatures.h"
#include "values/type.h"

namespace bunraku {

class TypeResolver;

struct NewCall {
  Arena& arena;
  std::string_view function;  // the name shown in messages
  const Type* type;           // the type of the wanted instance
  std::span<const Value> arguments;
  TypeResolver* resolver;

  // Returns undef when the argument was not given.
  Value argument(size_t at) const { return at < arguments.size() ? arguments[at] : Value(); }
};

using NewImplementation = Value (*)(const NewCall& call);

// Return the implementation of a form; null for a form of another family.
NewImplementation number_implementation(NewForm form);
NewImplementation text_implementation(NewForm form);
NewImplementation container_implementation(NewForm form);
NewImplementation time_implementation(NewForm form);
NewImplementation version_implementation(NewForm form);

// Returns whether the arguments match the parameters.
bool accepts(const Signature& signature, std::span<const Value> arguments);

// Calls the overload that accepts the arguments. Throws EvaluationError when none does.
Value call_new(Arena& arena, const NewSignatures& signatures, const Type* type,
               std::span<const Value> arguments, TypeResolver* resolver);

// The signatures of an Object type: from a hash, and from its attributes by position.
struct ObjectSignatures {
  std::vector<Signature> signatures;  // the one of the hash first
  std::string name;
};
ObjectSignatures object_signatures(Arena& arena, const ObjectType& type);
Value new_object(Arena& arena, const ObjectType& type, std::span<const Value> arguments);

// Init[T, args...].new(value)
Value new_by_init(Arena& arena, const InitType& type, std::span<const Value> arguments,
                  TypeResolver* resolver);

// The generalised type of a value, for messages.
std::string type_text_of(Arena& arena, Value value);
[[noreturn]] void fail_not_creatable(const Type* type);
// "'new_float' The string 'x' cannot be converted to Float"
[[noreturn]] void fail_not_convertible(const NewCall& call, std::string_view target);

}  // namespace bunraku
