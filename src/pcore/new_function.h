// The functions behind Type.new: for each type that has one its signatures and implementations.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pcore/mismatch.h"
#include "pcore/type.h"

namespace bunraku {

class TypeResolver;
struct NewFunction;

struct NewCall {
  Arena& arena;
  const NewFunction& function;
  const Type* type;  // of which an instance is wanted
  std::span<const Value> arguments;
  TypeResolver* resolver;

  // undef when it was not given.
  Value argument(size_t at) const { return at < arguments.size() ? arguments[at] : Value(); }
};

using NewImplementation = Value (*)(const NewCall& call);

struct NewParameter {
  std::string_view name;
  std::string_view type;  // in the language's syntax
  bool is_optional = false;
};

struct NewOverload {
  std::span<const NewParameter> parameters;
  NewImplementation implementation;
  // Takes calls that no other overload does, to fail in words of its own.
  bool is_mismatch_handler = false;
};

struct NewFunction {
  std::string_view name;         // as messages show it
  std::string_view local_types;  // aliases that the signatures know, a line each
  std::span<const NewOverload> overloads;
};

// With its types parsed; lives as long as the process.
class PreparedNewFunction {
 public:
  explicit PreparedNewFunction(const NewFunction& function);

  const NewFunction& function() const { return function_; }
  // Without those of mismatch handlers.
  std::span<const Signature> signatures() const { return {signatures_.data(), listed_}; }
  // A type of `local_types`.
  const Type* local_type(std::string_view name) const;
  // Finds the overload that takes the arguments and calls it. Throws EvaluationError when none
  // does.
  Value call(Arena& arena, const Type* type, std::span<const Value> arguments,
             TypeResolver* resolver) const;

 private:
  Signature prepare(const NewOverload& overload);

  const NewFunction& function_;
  Arena arena_;
  std::vector<const TypeAliasType*> local_types_;
  std::vector<Signature> signatures_;  // handlers come last
  std::vector<NewImplementation> implementations_;
  size_t listed_ = 0;
};

// Do the arguments fit the parameters?
bool accepts(const Signature& signature, std::span<const Value> arguments);
// A signature with a Callable of its parameters; both in the arena.
Signature make_signature(Arena& arena, std::span<const SignatureParameter> parameters);

// One of each of the families.
extern const NewFunction kNewInteger, kNewFloat, kNewNumeric, kNewBoolean, kNewString, kNewRegexp,
    kNewArray, kNewHash, kNewType, kNewUnit, kNewSensitive, kNewBinary, kNewTimespan, kNewTimestamp,
    kNewSemVer, kNewSemVerRange, kNewUri;

// The prepared function of a built-in type (aliases, Optional and NotUndef followed); null when
// there is none, or when the type makes its own: Object and Init.
const PreparedNewFunction* find_new_function(const Type* type);

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

// The generalised type of a value, as messages tell it.
std::string type_text_of(Arena& arena, Value value);
[[noreturn]] void fail_not_creatable(const Type* type);
// "'new_float' The string 'x' cannot be converted to Float"
[[noreturn]] void fail_not_convertible(const NewCall& call, std::string_view target);

}  // namespace bunraku
