// Values as patterns, for case options, selectors, URI[...] and parameterised Object types.
#pragma once

#include "values/value.h"

namespace bunraku {

// Returns whether `value` matches `pattern` as in a case option: a type matches its instances, a
// regular expression the strings in which it is found, arrays match element by element, hashes as
// subsets, versions and ranges also version strings; default matches all, anything else an equal
// value.
bool matches_pattern(Value value, Value pattern);

}  // namespace bunraku
