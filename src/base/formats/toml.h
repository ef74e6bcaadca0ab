// Reading TOML, for files of our own.
#pragma once

#include <string_view>

#include "base/formats/data.h"

namespace bunraku {

class Arena;

// The document as a hash, its keys in the order of their bytes. Dates and times are refused. What
// is returned lives in `arena`. Throws DataError with the place of the mistake.
DataNode read_toml(std::string_view text, Arena& arena);

}  // namespace bunraku
