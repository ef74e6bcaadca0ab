// JSON as Ruby's parser takes it, and its complaint word for word.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bunraku {

struct JsonMistake {
  std::string message;  // "859: unexpected token at '}'"
  uint32_t offset;
};

// Nothing when Ruby would read the text.
std::optional<JsonMistake> find_json_mistake(std::string_view text);

}  // namespace bunraku
