#pragma once

#include <string>
#include <string_view>

namespace bunraku::cases {

// A unified diff that makes expected into actual; empty where they are the same. Texts too
// different to compare line by line are shown by the first lines that differ.
std::string unified_diff(std::string_view expected, std::string_view actual);

}  // namespace bunraku::cases
