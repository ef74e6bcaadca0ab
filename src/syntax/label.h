// How messages call the kinds of expressions: "'+' expression", "Host Class Definition".
#pragma once

#include <string>
#include <string_view>

#include "syntax/tree.h"

namespace bunraku {

std::string label(const Expression& expression);

// With "a" or "an" before it, by its first letter, quotes aside: "an Unfold", "An Unfold".
std::string with_article(std::string_view label);
std::string with_upper_case_article(std::string_view label);

}  // namespace bunraku
