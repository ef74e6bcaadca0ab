// Errors that the reference raises without an issue of their own.
#pragma once

#include <string>
#include <string_view>

#include "pcore/type.h"

namespace bunraku {

// An EvaluationError (RUNTIME_ERROR) with the text as its message.
[[noreturn]] void fail_with(std::string message);

// Ends with "<subject> has wrong type, expects ..." unless the value is of the type.
void assert_instance_of(std::string_view subject, const Type* expected, Value value);

}  // namespace bunraku
