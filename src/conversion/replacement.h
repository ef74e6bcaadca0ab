// Ruby's String#sub and #gsub.
#pragma once

#include <string>
#include <string_view>

#include "values/value.h"

namespace bunraku {

class Regex;

// `replacement` is text with \0 to \9, \k<name>, \&, \`, \' and \\, or a hash that gives the text
// for what matched. Throws RegexError.
std::string ruby_sub(std::string_view text, const Regex& pattern, Value replacement, bool all);

}  // namespace bunraku
