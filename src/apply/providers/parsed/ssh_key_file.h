// Files of keys that may log in: authorized_keys.
#pragma once

#include <string>
#include <vector>

namespace bunraku::apply {

// The names of the keys in a file; those without a name get one, "FILE:unnamed-1". Nothing when the
// file cannot be read.
std::vector<std::string> names_of_authorized_keys(const std::string& path);

}  // namespace bunraku::apply
