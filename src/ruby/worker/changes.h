// Arrays and hashes that Ruby code in a worker has changed in place.
#pragma once

#include "values/value.h"

namespace bunraku {

class Evaluator;
class Scope;

// Gives all holders of the changed objects their new content (evaluation/object_holders.h).
// `changes` is what the prelude's Snapshot reports: [[path, content], ...]. A path begins with a
// key of `root`, the array or hash that was sent; a path that leads nowhere is ignored.
void change_ruby_objects(Evaluator& evaluator, Scope& scope, Value root, Value changes);

}  // namespace bunraku
