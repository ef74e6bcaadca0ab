// Data that was read from JSON or YAML, as values.
#pragma once

#include "base/formats/data.h"
#include "evaluation/function.h"

namespace bunraku {

// Texts are not copied: they must live as long as the compilation. Fails for integers beyond 64
// bits.
Value data_value(const Call& call, const DataNode& node);

}  // namespace bunraku
