// Reading and writing MessagePack (https://github.com/msgpack/msgpack/blob/master/spec.md), as far
// as it says what JSON says.
#pragma once

#include <string>
#include <string_view>

#include "base/formats/data.h"

namespace bunraku {

class Arena;

// Reads one value, of which nothing may follow. What is returned lives in `arena`. Binary values
// are byte strings; keys of maps must be strings. Throws DataError for text that is torn or too
// deep, and for extension types.
DataNode read_msgpack(std::string_view bytes, Arena& arena);

// The value's shortest form. Integers beyond 64 bits become their digits, as a string.
std::string write_msgpack(const DataNode& node);

}  // namespace bunraku
