// Local copies of files before they are changed.
#pragma once

#include <string>

namespace bunraku::apply {

// Copies a file, the target of a link, or a directory with its contents to `copy`, with owners,
// modes and times. A link below a directory stays a link; devices, sockets and pipes are left out.
// An existing copy is replaced, unless it is a directory. Throws Failure; a partial copy stays.
void copy_beside(const std::string& path, const std::string& copy, bool is_root);

}  // namespace bunraku::apply
