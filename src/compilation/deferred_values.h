// What a catalog leaves to the host on which it is applied: calls (Deferred), and the text of
// types.
#pragma once

#include "base/formats/data.h"
#include "base/memory/arena.h"
#include "evaluation/evaluator.h"

namespace bunraku::compilation {

// `written` is the value of a parameter as catalogs have it. Each deferred call in it, in arrays,
// hashes and Sensitive values too, is replaced by what the function returns in the top scope, each
// type with parameters by its text ({"__ptype": "Type"}). The result lives in `arena`; parts of it
// may belong to `written`. Throws EvaluationError.
DataNode resolve_deferred_values(Evaluator& evaluator, Arena& arena, const DataNode& written);

}  // namespace bunraku::compilation
