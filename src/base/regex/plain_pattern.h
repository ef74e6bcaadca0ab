// The patterns of Ruby that have the same meaning in PCRE2.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bunraku {

// Translates a pattern for PCRE2 (UTF, multi-line, newline is LF). Returns nothing where the
// engines might differ in matches or groups: characters beyond ASCII, options (except groups in
// which "." matches newlines), look-around, names, back-references, nested classes, possessive and
// stacked quantifiers, and repeats of parts that can match an empty text.
struct PlainPattern {
  std::string text;
  int groups;  // the number of capturing groups
};
std::optional<PlainPattern> plain_pattern(std::string_view ruby_pattern);

}  // namespace bunraku
