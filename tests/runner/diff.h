#pragma once

#include <string>
#include <string_view>

namespace bunraku::cases {

// A unified diff from expected to actual; empty when they are equal. For texts that are too
// different to compare line by line it shows the first lines that differ.
std::string unified_diff(std::string_view expected, std::string_view actual);

}  // namespace bunraku::cases
