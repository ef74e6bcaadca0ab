// Why a value does not fit a type, in the reference's words.
#pragma once

#include <string>
#include <string_view>

#include "values/type.h"

namespace bunraku {

struct SignatureParameter {
  std::string_view name;
  const Type* type;
  bool has_default;  // or is optional
  bool captures_rest;
};

// What a call must fit: a lambda, a function in the language, one overload of a native function.
struct Signature {
  std::span<const SignatureParameter> parameters;
  const CallableType* type;     // the same as a Callable
  std::string_view block_name;  // empty when there is none
};

// "parameter 'x' expects an Integer value, got String" and so on: `subject` is what the message
// begins with ("parameter 'x'", "Class[Foo]:"...), as the reference composes it.
std::string describe_mismatch(std::string_view subject, const Type* expected, Value actual);
std::string describe_mismatch(std::string_view subject, const Type* expected, const Type* actual);

// For a call that no signature takes: "expects 1 argument, got 2", "parameter 'a' expects ...", or
// for several "expects one of:\n  (Integer a)\n    rejected: ...". `callee` is "'split'" and the
// like. `block` is null when the call has none.
// With `block` but no type known for it, give types::kCallable.
std::string describe_call_mismatch(std::string_view callee, std::span<const Signature> signatures,
                                   std::span<const Value> arguments, const CallableType* block);

// Knows what deferred calls will return.
class DeferredTypes {
 public:
  // The return type of the function that `call`, a Deferred, names; null when it is not known.
  virtual const Type* return_type(const ObjectInstance& call) = 0;

 protected:
  ~DeferredTypes() = default;
};

// What is wrong with parameters given by name, to a class, define or template: "Class[Foo]:
// parameter 'a' expects ...", "Class[Foo]: has no parameter named 'x'", several of them on lines of
// their own after "Class[Foo]:". Empty when all is well. With `missing_ok`, parameters without a
// value are not mentioned. A Deferred fits every type, unless it is known what will come of it.
std::string describe_parameters_mismatch(std::string_view subject,
                                         std::span<const SignatureParameter> parameters,
                                         const HashObject& given, bool missing_ok,
                                         DeferredTypes& deferred);

bool is_deferred(Value value);
// May what a deferred call will return, of the type `returned`, fit where `expected` is wanted?
bool may_fit(const Type* expected, const Type* returned);

// For the value that a parameter's default gave; empty when it fits.
std::string describe_default_mismatch(std::string_view subject, std::string_view parameter,
                                      const Type* expected, Value value);

}  // namespace bunraku
