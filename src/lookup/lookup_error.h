// Errors of look-ups.
#pragma once

#include <string>

#include "support/diagnostic.h"

namespace bunraku {

// Ends the look-up with a message that has no place of its own (the call's is added above).
[[noreturn]] void fail_lookup(std::string message);
[[noreturn]] void fail_lookup(Issue issue, std::vector<std::string> arguments = {});

// A Hiera function said that it does not know the key. Passes through the evaluator from a
// context's not_found() to the provider that called the function.
struct DataNotFound {};

}  // namespace bunraku
