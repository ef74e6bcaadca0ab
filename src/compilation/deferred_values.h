// Resolves the values that a catalog leaves to the host: deferred calls, and types.
#pragma once

#include "base/formats/data.h"
#include "base/memory/arena.h"
#include "evaluation/evaluator.h"

namespace bunraku::compilation {

// Returns the parameter's value `written` with each deferred call, also in arrays, hashes and
// Sensitive values, replaced by the function's result in the top scope, and each parameterized type
// replaced by its text ({"__ptype": "Type"}). The result lives in `arena`, and may share parts of
// `written`. Throws EvaluationError.
DataNode resolve_deferred_values(Evaluator& evaluator, Arena& arena, const DataNode& written);

}  // namespace bunraku::compilation
