// JSON as accepted by Ruby's parser, with its error messages.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/formats/data.h"
#include "base/formats/json_members.h"

namespace bunraku {

class Arena;

struct JsonMistake {
  std::string message;  // "859: unexpected token at '}'"
  uint32_t offset;
};

// Returns nothing when Ruby accepts the text.
std::optional<JsonMistake> find_json_mistake(std::string_view text);

// Like read_json and read_json_members, with Ruby's error messages.
DataNode read_ruby_json(std::string_view text, Arena& arena);
JsonMembers read_ruby_json_members(std::string_view text, std::span<const std::string_view> names,
                                   Arena& arena);

}  // namespace bunraku
