// Reads HOCON, the superset of JSON for people ("Human-Optimized Config Object Notation").
#pragma once

#include <string_view>

#include "base/formats/data.h"

namespace bunraku {

class Arena;

// The object that the text stands for, substitutions resolved within it and from the environment
// variables of the process. The result and its strings live in `arena`. Throws DataError with the
// reference's wording, line included, where it has one. Only `include file("...")` includes.
DataNode read_hocon(std::string_view text, Arena& arena);

}  // namespace bunraku
