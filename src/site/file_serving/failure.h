// How failures of the file server are reported.
#pragma once

#include <string>

namespace bunraku {

// The caller that asked for the file adds the error's place.
[[noreturn]] void fail_to_serve(std::string message);

}  // namespace bunraku
