// Methods of objects whose types modules declare in Ruby (lib/puppet/datatypes).
#pragma once

#include "evaluation/function.h"

namespace bunraku {

class Evaluator;
struct ObjectMember;

// Is what `member` gives for an instance of `type` up to code in Ruby: a function, a derived
// attribute, or an attribute that this code reads in its own way?
bool is_ruby_member(Evaluator& evaluator, const ObjectType& type, const ObjectMember& member);

// Has Ruby call it with the call's arguments, which are checked. Throws EvaluationError.
Value call_ruby_member(const ObjectInstance& object, const ObjectMember& member, Call& call);

}  // namespace bunraku
