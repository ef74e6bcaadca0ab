#pragma once

#include <string_view>

namespace bunraku {

// BUNRAKU_VERSION comes from the build's project(VERSION).
inline constexpr std::string_view kVersion = BUNRAKU_VERSION;
// The version of the language whose defaults are ours.
inline constexpr std::string_view kReferenceVersion = "8.11.0";

}  // namespace bunraku
