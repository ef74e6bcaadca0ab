// Names from outside (of nodes, reports, resources, keys of caches) that become names of files.
#pragma once

#include <string>
#include <string_view>

namespace bunraku {

// The name of a file in one directory: the name and the suffix. Throws FileError when it could lead
// anywhere else or is none: when it is empty, "." or "..", or holds a slash, a byte below space, or
// DEL, or is longer than file systems take. Every name that a user, a node or data brings goes
// through here before it becomes a part of a path.
std::string safe_file_name(std::string_view name, std::string_view suffix = {});

}  // namespace bunraku
