// Ruby's String#sub and #gsub.
#pragma once

#include <string>
#include <string_view>

#include "values/value.h"

namespace bunraku {

class Regex;

// `replacement` is a text with \0 to \9, \k<name>, \&, \`, \' and \\, or a hash from matched texts
// to their replacements. Throws RegexError.
std::string ruby_sub(std::string_view text, const Regex& pattern, Value replacement, bool all);

}  // namespace bunraku
