// How failures of the file server are reported.
#pragma once

#include <string>

namespace bunraku {

// Whoever asked for the file gives the error its place.
[[noreturn]] void fail_to_serve(std::string message);

}  // namespace bunraku
