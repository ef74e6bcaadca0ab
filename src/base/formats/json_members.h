// Reading of a part of a JSON object.
#pragma once

#include <span>
#include <string_view>

#include "base/formats/data.h"

namespace bunraku {

class Arena;

// Like read_json, but of an object's members, only those with these names have values in the
// result. The others are null; their text is checked all the same.
DataNode read_json_members(std::string_view text, std::span<const std::string_view> names,
                           Arena& arena);

}  // namespace bunraku
