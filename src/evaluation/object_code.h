// What objects answer when one of their members is called.
#pragma once

#include "evaluation/function.h"

namespace bunraku {

class Evaluator;
struct ObjectMember;
struct ObjectType;

// Is what `member` gives for an instance of `type` up to code in Ruby: a function, a derived
// attribute, or an attribute that this code reads in its own way?
bool is_ruby_member(Evaluator& evaluator, const ObjectType& type, const ObjectMember& member);

// The member's value for the call's arguments, which are checked: what native code or code in Ruby
// (lib/puppet/datatypes) gives, or what the object holds. Throws EvaluationError.
Value call_object_member(const ObjectInstance& object, const ObjectMember& member, Call& call);

}  // namespace bunraku
