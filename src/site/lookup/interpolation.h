// Interpolation: %{...} in data and in hiera.yaml.
#pragma once

#include <string>
#include <string_view>

#include "site/lookup/invocation.h"

namespace bunraku {

// Replaces the expressions in all strings and keys of `value`; returns the value itself when it has
// none. Methods such as lookup('x') are allowed in data only.
Value interpolate(Invocation& invocation, Value value, bool allow_methods);

// The value of %{name}: a variable by its dotted name, or undef when it does not exist. `subject`
// is the text shown in messages.
Value scope_value(Invocation& invocation, std::string_view key, std::string_view subject);

}  // namespace bunraku
