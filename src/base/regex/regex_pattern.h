// Translation of Ruby's pattern dialect to the engine's.
#pragma once

#include <string>
#include <string_view>

namespace bunraku {

// Ruby's engine is a fork that differs in the meaning of shorthand classes (\w, \d and \s are ASCII
// unless (?u) precedes them), in the options (?a), (?d) and (?u), and in the reading of \u and \x.
// Throws RegexError with the plain message (without the pattern) where Ruby rejects an escape
// before its engine reads it.
std::string translate_ruby_pattern(std::string_view pattern);

}  // namespace bunraku
