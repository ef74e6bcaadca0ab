// Why a value does not fit a type, in the reference's words.
#pragma once

#include <string>
#include <string_view>

#include "pcore/type.h"

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
  const CallableType* type;        // the same as a Callable
  std::string_view block_name;     // empty when there is none
};

// "parameter 'x' expects an Integer value, got String" and so on: `subject` is what the message
// begins with ("parameter 'x'", "Class[Foo]:"...), as the reference composes it.
std::string describe_mismatch(std::string_view subject, const Type* expected, Value actual);
std::string describe_mismatch(std::string_view subject, const Type* expected, const Type* actual);

// For a call that no signature takes: "expects 1 argument, got 2", "parameter 'a' expects ...", or
// for several "expects one of:\n  (Integer a)\n    rejected: ...". `callee` is "'split'" and the
// like. `block` is null when the call has none.
std::string describe_call_mismatch(std::string_view callee, std::span<const Signature> signatures,
                                   std::span<const Value> arguments, const CallableType* block);

// What is wrong with parameters given by name, to a class, define or template: "Class[Foo]: parameter
// 'a' expects ...", "Class[Foo]: has no parameter named 'x'", several of them on lines of their own
// after "Class[Foo]:". Empty when all is well. With `missing_ok`, parameters without a value are not
// mentioned.
std::string describe_parameters_mismatch(std::string_view subject,
                                         std::span<const SignatureParameter> parameters,
                                         const HashObject& given, bool missing_ok);

}  // namespace bunraku
