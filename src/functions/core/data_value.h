// Values made from data that was read as JSON or YAML.
#pragma once

#include "base/formats/data.h"
#include "evaluation/function.h"

namespace bunraku {

// Texts are not copied: they must live as long as the compilation. Fails for integers of more than
// 64 bits.
Value data_value(const Call& call, const DataNode& node);

}  // namespace bunraku
