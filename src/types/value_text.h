// Values in the language's notation, as within the text of types and objects: 'a', [1, undef], {'a'
// => /x/}, URI('http://x'), MyObject({'a' => 1}).
#pragma once

#include <string>

#include "values/value.h"

namespace bunraku {

void append_literal(std::string& out, Value value);

// Appends on several lines, with hashes and long arrays indented from `level` on by two blanks per
// level.
void append_indented_literal(std::string& out, Value value, int level);

// Appends MyObject({'a' => 1}): the attributes that differ from their defaults. `level` is -1 for
// one line.
void append_object_text(std::string& out, const ObjectInstance& object, int level = -1);

}  // namespace bunraku
