// Reading of a part of a JSON object.
#pragma once

#include <span>
#include <string_view>

#include "base/formats/data.h"

namespace bunraku {

class Arena;

struct JsonMembers {
  DataNode value;           // of an object only the members with the given names
  bool has_others = false;  // whether the object has other members
};

// Like read_json, but leaves out those members of an object that have none of the names. Their text
// is checked all the same.
JsonMembers read_json_members(std::string_view text, std::span<const std::string_view> names,
                              Arena& arena);

}  // namespace bunraku
