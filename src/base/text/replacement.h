// Replacement of parts of texts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bunraku {

// Which occurrences of a part are replaced: all, or those with no ASCII letter, digit or underscore
// directly before or after them.
enum class Occurrences : uint8_t { kAll, kWholeWords };

// Returns the text with the occurrences of `part` replaced, from left to right, without searching
// in replacements. An empty part occurs nowhere.
std::string replaced(std::string_view text, std::string_view part, std::string_view replacement,
                     Occurrences occurrences = Occurrences::kAll);

}  // namespace bunraku
