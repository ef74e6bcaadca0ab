// A reader of HOCON, the superset of JSON for people ("Human-Optimized Config Object Notation").
#pragma once

#include <string_view>

#include "base/formats/data.h"

namespace bunraku {

class Arena;

// Reads the object of a text, with substitutions resolved within it and from the process's
// environment variables. The result and its strings are in `arena`. Throws DataError with the
// reference's wording, including the line, where it has one. Only `include file("...")` includes
// files.
DataNode read_hocon(std::string_view text, Arena& arena);

}  // namespace bunraku
