// The versions of the module's files that native functions reproduce.
#pragma once

#include <string_view>

namespace bunraku::stdlib {

// `digest` is the SHA-256 of the module's file that defines the function, in hexadecimal digits.
bool is_known_source(std::string_view function, std::string_view digest);

// Returns whether that file only calls the function of the module's own name (shims.cc).
bool is_shim_source(std::string_view function, std::string_view digest);

}  // namespace bunraku::stdlib
