// Errors for which the reference has no issue.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostic.h"
#include "values/type.h"

namespace bunraku {

// Throws an EvaluationError.
[[noreturn]] void fail_with(Issue issue, std::vector<std::string> arguments);

// Throws "<subject> has wrong type, expects ..." unless the value is an instance of the type.
void assert_instance_of(std::string_view subject, const Type* expected, Value value);

}  // namespace bunraku
