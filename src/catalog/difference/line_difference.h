// The difference of two texts, line by line.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace bunraku {

enum class LineKind : uint8_t { kSame, kRemoved, kAdded, kGap };

struct LineChange {
  LineKind kind;
  std::string_view text;  // without its line end; empty for a gap
};

// Returns the changes, each with up to `context` lines around it; a gap stands for the lines left
// out between two changes. The views point into the texts. Large texts that differ very much are
// shown as replaced entirely.
std::vector<LineChange> line_difference(std::string_view before, std::string_view after,
                                        size_t context = 3);

}  // namespace bunraku
