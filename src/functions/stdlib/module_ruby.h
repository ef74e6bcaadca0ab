// Calls the module's own Ruby code, for the few cases that native code does not handle.
#pragma once

#include <string_view>

#include "evaluation/function.h"
#include "ruby/worker/function.h"

namespace bunraku::stdlib {

// Calls the module's function of this name with the same arguments. Throws EvaluationError, also
// without Ruby.
Value call_module_ruby(Call& call, std::string_view function, RubyInterface interface);

}  // namespace bunraku::stdlib
