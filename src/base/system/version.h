// The program's version, and that of the language it implements.
#pragma once

#include <string_view>

namespace bunraku {

// As the build's project(VERSION) has it.
extern const std::string_view kVersion;
// The version of the language whose defaults are ours.
inline constexpr std::string_view kReferenceVersion = "8.11.0";

}  // namespace bunraku
