// How the catalog's failures are told.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "evaluation/function.h"

namespace bunraku {

// Ends the compilation with the message; whoever is being evaluated gives it its place.
[[noreturn]] void fail(std::string message);
// The same about a name that is none of `known`: tells which of them it may have meant.
[[noreturn]] void fail_unknown(std::string message, std::string_view name,
                               std::vector<std::string> known);
// The message tells its own place, a line without column as the reference has it, and is not told
// again by those around it.
[[noreturn]] void fail_at(std::string message, const Place& place);

}  // namespace bunraku
