// Copies of what is about to be changed, beside it.
#pragma once

#include <string>

namespace bunraku::apply {

// Copies a file, what a link leads to, or a directory with all that is below it to `copy`, with
// owners, modes and times. A link below a directory stays a link; devices, sockets and pipes are
// left out. What is there already is replaced, unless it is a directory. Throws Failure; what was
// copied until then stays.
void copy_beside(const std::string& path, const std::string& copy, bool is_root);

}  // namespace bunraku::apply
