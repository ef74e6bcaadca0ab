// Errors of the file server.
#pragma once

#include <string>

namespace bunraku {

// Throws an error without a place; the caller that requested the file adds it.
[[noreturn]] void fail_to_serve(std::string message);

}  // namespace bunraku
