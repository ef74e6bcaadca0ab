// Descriptions of mismatches between values and types, in the reference's words.
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

// The requirements of a call: to a lambda, a function in the language, or one overload of a native
// function.
struct Signature {
  std::span<const SignatureParameter> parameters;
  const CallableType* type;     // the same, as a Callable
  std::string_view block_name;  // empty when there is none
};

// Returns a text such as "parameter 'x' expects an Integer value, got String": `subject` is its
// start ("parameter 'x'", "Class[Foo]:"...), as in the reference.
std::string describe_mismatch(std::string_view subject, const Type* expected, Value actual);
std::string describe_mismatch(std::string_view subject, const Type* expected, const Type* actual);

// For a call that no signature accepts: "expects 1 argument, got 2", "parameter 'a' expects ...",
// or for several signatures "expects one of:\n  (Integer a)\n    rejected: ...". `callee` is for
// example "'split'". `block` is null when the call has none; for a block of unknown type, pass
// types::kCallable.
std::string describe_call_mismatch(std::string_view callee, std::span<const Signature> signatures,
                                   std::span<const Value> arguments, const CallableType* block);

// Determines the return types of deferred calls.
class DeferredTypes {
 public:
  // Returns the return type of the function that `call`, a Deferred, names; null when unknown.
  virtual const Type* return_type(const ObjectInstance& call) = 0;

 protected:
  ~DeferredTypes() = default;
};

// Describes errors in the named parameters of a class, define or template: "Class[Foo]: parameter
// 'a' expects ...", "Class[Foo]: has no parameter named 'x'"; several are on separate lines after
// "Class[Foo]:". Empty when there are none. With `missing_ok`, parameters without a value are not
// reported. A Deferred matches every type, unless its return type is known.
std::string describe_parameters_mismatch(std::string_view subject,
                                         std::span<const SignatureParameter> parameters,
                                         const HashObject& given, bool missing_ok,
                                         DeferredTypes& deferred);

bool is_deferred(Value value);
// Returns whether the result of a deferred call, of the type `returned`, may match `expected`.
bool may_fit(const Type* expected, const Type* returned);

// For the value of a parameter's default; empty when it matches.
std::string describe_default_mismatch(std::string_view subject, std::string_view parameter,
                                      const Type* expected, Value value);

}  // namespace bunraku
