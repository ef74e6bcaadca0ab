// Methods of Ruby's String that functions of the reference use.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "values/value.h"

namespace bunraku {

class Regex;

// String#to_i and String#to_f: the number at the start of the text, else 0. An integer beyond 64
// bits becomes the nearest one that fits.
int64_t leading_integer(std::string_view text);
double leading_float(std::string_view text);

std::string_view ruby_chomp(std::string_view text);
std::string_view ruby_chop(std::string_view text);
std::string_view ruby_lstrip(std::string_view text);
std::string_view ruby_rstrip(std::string_view text);
inline std::string_view ruby_strip(std::string_view text) {
  return ruby_lstrip(ruby_rstrip(text));
}

// String#split(pattern): texts captured by the pattern's groups are among the pieces; empty pieces
// at the end are dropped. The pieces point into `text`. Throws RegexError.
std::vector<std::string_view> ruby_split(std::string_view text, const Regex& pattern);
// String#split(separator) for a separator that is not empty and not a single space.
std::vector<std::string_view> ruby_split(std::string_view text, std::string_view separator);
// String#split without arguments: at white space.
std::vector<std::string_view> ruby_split_words(std::string_view text);

// Converts a reference to a resource or class into text, as functions of the older interface get
// it; other values are unchanged.
Value reference_as_text(Arena& arena, Value value);

// String#casecmp: ignores ASCII case; -1, 0 or 1.
int ruby_casecmp(std::string_view a, std::string_view b);
// String#<=>: -1, 0 or 1.
inline int ruby_compare(std::string_view a, std::string_view b) {
  int order = a.compare(b);
  return (order > 0) - (order < 0);
}

}  // namespace bunraku
