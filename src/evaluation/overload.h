// What native functions and those written in Ruby have in common: the choice between overloads,
// and the arguments of the older interface.
#pragma once

#include "evaluation/function.h"

namespace bunraku {

struct NativeSignature {
  Signature signature;
  IntegerRange size;  // of the arguments
  const Type* block;  // null: takes none
  bool block_is_optional;
};

bool accepts_arguments(const NativeSignature& signature, std::span<const Value> arguments);
bool accepts_block(const NativeSignature& signature, const Block* block);

// Why a type cannot become a reference, as it must where it is given to a resource or to a function
// of the older kind; empty when it can, or is no type of catalog entries.
std::string_view problem_of_reference(const Type& type);

// The value as a resource has it: references in it, also within arrays and hashes, are given ones
// (types::given_reference()). `problem` says why no resource can have it; it is left empty
// otherwise.
Value given_value(Arena& arena, Value value, std::string_view& problem);

// The value as a function of the reference's older interface gets it: undef is an empty string
// unless it is nested, what that interface does not know is text.
Value legacy_argument(Arena& arena, Value value, bool is_nested);

}  // namespace bunraku
