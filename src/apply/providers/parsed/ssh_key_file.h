// Files of authorized keys: authorized_keys.
#pragma once

#include <string>
#include <vector>

namespace bunraku::apply {

// The names of the keys in a file; a key without a name becomes "FILE:unnamed-1". Empty when the
// file cannot be read.
std::vector<std::string> names_of_authorized_keys(const std::string& path);

}  // namespace bunraku::apply
