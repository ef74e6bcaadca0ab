// The module's own Ruby code, for the few things that are left to it.
#pragma once

#include <string_view>

#include "evaluation/function.h"
#include "ruby/worker/function.h"

namespace bunraku::stdlib {

// What the module's function of this name, called with the same arguments, gives. Throws
// EvaluationError, also when there is no Ruby.
Value call_module_ruby(Call& call, std::string_view function, RubyInterface interface);

}  // namespace bunraku::stdlib
