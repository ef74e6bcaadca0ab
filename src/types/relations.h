// Relations between types and values: assignability, instances, and inference.
#pragma once

#include "values/type.h"

namespace bunraku {

// Returns whether every value of `from` may be used where `to` is expected.
bool is_assignable(const Type* to, const Type* from);
bool is_instance(const Type* type, Value value);

// The type of a value: reduced (Array[Integer]), detailed (Tuple[Integer[1,1], ...]), or
// generalised.
const Type* infer(Arena& arena, Value value);
const Type* infer_detailed(Arena& arena, Value value);
const Type* generalize(Arena& arena, const Type* type);
const Type* normalize(Arena& arena, const Type* type);
// The narrowest type that both are assignable to.
const Type* common_type(Arena& arena, const Type* a, const Type* b);

}  // namespace bunraku
