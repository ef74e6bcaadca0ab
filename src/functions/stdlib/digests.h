// The versions of the module's files that native functions reproduce.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace bunraku::stdlib {

// `digest` is the SHA-256 of the module's file that defines the function, in hexadecimal digits.
bool is_known_source(std::string_view function, std::string_view digest);

// The number of the older version (stdlib/families.h) that the file has, if it is one of these.
std::optional<size_t> older_version(std::string_view function, std::string_view digest);
// Returns whether that file only calls the function of the module's own name (shims.cc).
bool is_shim_source(std::string_view function, std::string_view digest);

}  // namespace bunraku::stdlib
