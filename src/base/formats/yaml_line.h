// Where in a text of YAML (or JSON) something stands; values that were read do not know it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace bunraku {

// The 1-based line of the key that the path leads to: names of mappings' keys, numbers in
// sequences. Where the path ends early, the line of what it last led to; 0 when not even the first
// key is there or the text is malformed.
uint32_t yaml_line(std::string_view text, std::span<const std::string_view> path);

}  // namespace bunraku
