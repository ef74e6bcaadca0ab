// Reading and writing of MessagePack (https://github.com/msgpack/msgpack/blob/master/spec.md), for
// the types of JSON.
#pragma once

#include <string>
#include <string_view>

#include "base/formats/data.h"

namespace bunraku {

class Arena;

// Reads one value without anything after it. The result is in `arena`. Binary values are byte
// strings; keys of maps must be strings. Throws DataError for truncated or too deeply nested text,
// and for extension types.
DataNode read_msgpack(std::string_view bytes, Arena& arena);

// Writes a value in its shortest form. Integers beyond 64 bits become strings of digits.
std::string write_msgpack(const DataNode& node);

}  // namespace bunraku
