// Names from outside (of nodes, reports, resources, cache keys) that become file names.
#pragma once

#include <string>
#include <string_view>

namespace bunraku {

// Returns the name with the suffix, as a file name in one directory. Throws FileError when the name
// could lead elsewhere or is invalid: when it is empty, "." or "..", contains a slash, a byte below
// space, or DEL, or is too long for file systems. Every name from a user, a node or data is checked
// here before it becomes a part of a path.
std::string safe_file_name(std::string_view name, std::string_view suffix = {});

}  // namespace bunraku
