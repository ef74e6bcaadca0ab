// %{...} in data and in hiera.yaml.
#pragma once

#include <string>
#include <string_view>

#include "site/lookup/invocation.h"

namespace bunraku {

// `value` with the expressions in all its strings and keys replaced; the value itself when there
// are none. Methods such as lookup('x') are allowed in data only.
Value interpolate(Invocation& invocation, Value value, bool allow_methods);

// A variable by its dotted name, as %{name} reads it; `subject` is what messages show. undef when
// there is none.
Value scope_value(Invocation& invocation, std::string_view key, std::string_view subject);

}  // namespace bunraku
