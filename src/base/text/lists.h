// Lists that people write as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bunraku {

// "a, b,c" as three texts, without the spaces around them and without empty ones.
std::vector<std::string> split_list(std::string_view text, char separator = ',');

}  // namespace bunraku
