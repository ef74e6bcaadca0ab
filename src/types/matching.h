// Values as patterns: what case options, selectors, URI[...] and parameterised Object types share.
#pragma once

#include "values/value.h"

namespace bunraku {

// Does `value` match `pattern` as a case option does? A type takes its instances, a regular
// expression the strings it is found in, arrays element by element, hashes as subsets, versions and
// ranges also version strings; default takes all, everything else what equals it.
bool matches_pattern(Value value, Value pattern);

}  // namespace bunraku
