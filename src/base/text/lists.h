// Lists as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bunraku {

// Splits "a, b,c" into three texts, without surrounding spaces and empty items.
std::vector<std::string> split_list(std::string_view text, char separator = ',');

}  // namespace bunraku
