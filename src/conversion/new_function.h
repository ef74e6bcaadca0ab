// The code behind Type.new: what is made of the arguments that a signature takes.
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
  std::string_view function;  // its name, as messages show it
  const Type* type;           // of which an instance is wanted
  std::span<const Value> arguments;
  TypeResolver* resolver;

  // undef when it was not given.
  Value argument(size_t at) const { return at < arguments.size() ? arguments[at] : Value(); }
};

using NewImplementation = Value (*)(const NewCall& call);

// The code of a form; null when it is one of another family.
NewImplementation number_implementation(NewForm form);
NewImplementation text_implementation(NewForm form);
NewImplementation container_implementation(NewForm form);
NewImplementation time_implementation(NewForm form);
NewImplementation version_implementation(NewForm form);

// Do the arguments fit the parameters?
bool accepts(const Signature& signature, std::span<const Value> arguments);

// Finds the overload that takes the arguments and calls its code. Throws EvaluationError when none
// does.
Value call_new(Arena& arena, const NewSignatures& signatures, const Type* type,
               std::span<const Value> arguments, TypeResolver* resolver);

// What is called for an Object type: from a hash, or from its attributes by position.
struct ObjectSignatures {
  std::vector<Signature> signatures;  // of the hash first
  std::string name;
};
ObjectSignatures object_signatures(Arena& arena, const ObjectType& type);
Value new_object(Arena& arena, const ObjectType& type, std::span<const Value> arguments);

// Init[T, args...].new(value)
Value new_by_init(Arena& arena, const InitType& type, std::span<const Value> arguments,
                  TypeResolver* resolver);

// The generalised type of a value, as messages show it.
std::string type_text_of(Arena& arena, Value value);
[[noreturn]] void fail_not_creatable(const Type* type);
// "'new_float' The string 'x' cannot be converted to Float"
[[noreturn]] void fail_not_convertible(const NewCall& call, std::string_view target);

}  // namespace bunraku
