// Brings a pattern of Ruby's dialect into the engine's own.
#pragma once

#include <string>
#include <string_view>

namespace bunraku {

// Ruby's engine is a fork that differs from ours in what the shorthand classes mean (\w, \d and \s
// are ASCII unless (?u) stands before them), in the options (?a), (?d) and (?u), and in how \u and
// \x are read. Throws RegexError with the bare message (without the pattern) where Ruby refuses an
// escape before its engine sees it.
std::string translate_ruby_pattern(std::string_view pattern);

}  // namespace bunraku
