// A reader of TOML, for files of this program.
#pragma once

#include <string_view>

#include "base/formats/data.h"

namespace bunraku {

class Arena;

// Reads the document as a hash with its keys sorted by bytes. Dates and times are rejected. The
// result is in `arena`. Throws DataError with the place of the error.
DataNode read_toml(std::string_view text, Arena& arena);

}  // namespace bunraku
