// Which of Ruby's patterns mean the same to PCRE2.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bunraku {

// The pattern as PCRE2 (UTF, multi-line, newline is LF) takes it; nothing where the two engines
// might differ, in what matches or in what the groups hold: characters beyond ASCII, options
// (except groups that let "." match newlines), look-around, names, back-references, nested classes,
// possessive and stacked quantifiers, and repeats of what can match nothing.
struct PlainPattern {
  std::string text;
  int groups;  // that capture
};
std::optional<PlainPattern> plain_pattern(std::string_view ruby_pattern);

}  // namespace bunraku
