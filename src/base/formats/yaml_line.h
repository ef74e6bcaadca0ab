// Line numbers in a text of YAML (or JSON); values that were read do not have them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace bunraku {

// Returns the 1-based line of the key at the path: keys of mappings, indices of sequences. When the
// path ends early, the line of its last existing part; 0 when not even the first key exists or the
// text is malformed.
uint32_t yaml_line(std::string_view text, std::span<const std::string_view> path);

}  // namespace bunraku
