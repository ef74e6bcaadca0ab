// Calls of members of objects.
#pragma once

#include "evaluation/function.h"

namespace bunraku {

class Evaluator;
struct ObjectMember;
struct ObjectType;

// Returns whether the value of `member` for an instance of `type` is determined by Ruby code: a
// function, a derived attribute, or an attribute that this code overrides.
bool is_ruby_member(Evaluator& evaluator, const ObjectType& type, const ObjectMember& member);

// Calls the member with the call's arguments, which are checked. The result is from native code,
// from Ruby code (lib/puppet/datatypes), or the stored attribute. Throws EvaluationError.
Value call_object_member(const ObjectInstance& object, const ObjectMember& member, Call& call);

}  // namespace bunraku
