// Values as text in interpolated strings.
#pragma once

#include <string>

#include "values/value.h"

namespace bunraku {

// Appends the text of a value in an interpolated string: undef is empty, 1.0 is "1.0", arrays are
// "[1, 2]", hashes "{a => 1}", Sensitive is redacted.
void append_interpolated(std::string& out, Value value);
std::string interpolated(Value value);

}  // namespace bunraku
