// Conversion of references to resources into text.
#pragma once

#include <string>
#include <string_view>

#include "values/type.h"

namespace bunraku {

// Returns whether the type refers to a resource or class.
bool is_reference(const Type& type);
// A reference as catalogs show it ("Class[Apache::Mod]").
std::string reference_text(Name type_key, std::string_view title);
// The text of a reference; other values are converted as in interpolation.
std::string reference_text(Value value);
// The same, but with hashes and patterns in Ruby's notation.
std::string ruby_reference_text(Value value);

}  // namespace bunraku
