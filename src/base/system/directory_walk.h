// Visits the directories of trees. Links may lead back to a directory or to it on several paths;
// each directory is visited once, so that every walk ends.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/system/file_system.h"

namespace bunraku {

// Whether symbolic links to directories are entered.
enum class Links : uint8_t { kEntered, kSkipped };

// Called with the path of a directory, which begins with a root as written, and with its entries,
// as list_directory() returns them. Directories that are removed from the entries are not entered.
using DirectoryVisitor =
    std::function<void(const std::string& path, std::vector<DirectoryEntry>& entries)>;

// Visits the roots, in order, and the directories below them, level by level. Links come after all
// real directories: a directory is visited by its real path if that is below a root. A root may be
// a link in any case. Paths that cannot be listed (missing, a file, unreadable) are not visited.
// Observers of reads are notified of each directory that is listed. An exception of the visitor
// ends the walk.
void walk_directories(std::span<const std::string> roots, Links links,
                      const DirectoryVisitor& visit);

}  // namespace bunraku
