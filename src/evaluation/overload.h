// Code that native functions share with those written in Ruby: the choice between overloads, and
// the arguments of the older interface.
#pragma once

#include "evaluation/function.h"

namespace bunraku {

struct NativeSignature {
  Signature signature;
  IntegerRange size;  // the number of arguments
  const Type* block;  // null: no block allowed
  bool block_is_optional;
};

bool accepts_arguments(const NativeSignature& signature, std::span<const Value> arguments);
bool accepts_block(const NativeSignature& signature, const Block* block);

// The reason why a type cannot be converted to a reference, as is necessary for a resource or a
// function of the older interface; empty when it can, or is not a type of catalog entries.
std::string_view problem_of_reference(const Type& type);

// Converts a value for a resource: references in it, also within arrays and hashes, become given
// ones (types::given_reference()). `problem` is the reason why a resource cannot have the value; it
// is left empty otherwise.
Value given_value(Arena& arena, Value value, std::string_view& problem);

// Converts a value for a function of the reference's older interface: undef becomes an empty string
// unless it is nested, values unknown to that interface become text.
Value legacy_argument(Arena& arena, Value value, bool is_nested);
// The older interface gets copies of arrays and hashes. Arguments are not copied here, for most
// functions only read them; a result that may be a part of one is: a template that changes it
// leaves the argument alone.
Value legacy_result(Arena& arena, Value value);

}  // namespace bunraku
