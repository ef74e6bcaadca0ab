// The versions of the program and of the language it implements.
#pragma once

#include <string_view>

namespace bunraku {

// The version in the build's project(VERSION).
extern const std::string_view kVersion;
// The version of the language whose defaults apply.
inline constexpr std::string_view kReferenceVersion = "8.11.0";

}  // namespace bunraku
