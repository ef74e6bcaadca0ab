// JSON as accepted by Ruby's parser, with its error messages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/formats/data.h"

namespace bunraku {

class Arena;

struct JsonMistake {
  std::string message;  // "859: unexpected token at '}'"
  uint32_t offset;
};

// Returns nothing when Ruby accepts the text.
std::optional<JsonMistake> find_json_mistake(std::string_view text);

// Like read_json, with Ruby's error messages.
DataNode read_ruby_json(std::string_view text, Arena& arena);

}  // namespace bunraku
