// The holders of arrays and hashes that code in Ruby has changed in place.
#pragma once

#include <span>

#include "values/changed_objects.h"

namespace bunraku {

class Evaluator;
class Scope;

// Gives the holders of objects that code in the scope has changed their new content: its variables
// and the parameters of its resource, those of classes, and the variables of the node and of the
// top scope. Throws EvaluationError for a value that is too deep or too large.
void update_holders(Evaluator& evaluator, Scope& scope, std::span<const ObjectChange> changes);

}  // namespace bunraku
