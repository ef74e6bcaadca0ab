// Counts and lists of names in output for people. Programs read plain numbers and complete lists.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bunraku {

// With commas between groups of three digits: "1,000".
std::string count_text(size_t count);

// "1 node", "2 nodes", "1,000 entries": the plural is `one` with an "s" where `many` is empty.
std::string counted(size_t count, std::string_view one, std::string_view many = {});

// The names, at most as many as `most`, and the number of the others: "a, b, c and 397 more".
std::string names_text(const std::vector<std::string>& names, size_t most);

}  // namespace bunraku
