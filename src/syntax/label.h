// The names of expression kinds in messages: "'+' expression", "Host Class Definition".
#pragma once

#include <string>
#include <string_view>

#include "syntax/tree.h"

namespace bunraku {

std::string label(const Expression& expression);

// Adds "a" or "an", by the first letter, ignoring quotes: "an Unfold", "An Unfold".
std::string with_article(std::string_view label);
std::string with_upper_case_article(std::string_view label);

}  // namespace bunraku
