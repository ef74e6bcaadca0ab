// Doing a thing again whenever files change.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace bunraku {

// Runs `task`, then again each time something below one of the paths (directories or files)
// changes, until an interrupt. Gives the last run's answer. Throws FileError when the system cannot
// watch.
int run_and_watch(const std::vector<std::string>& paths, const std::function<int()>& task);

class Session;

// The directories of the environment that the settings name, with its modules, and `others` that
// are not empty.
std::vector<std::string> paths_to_watch(Session& session, std::vector<std::string> others);

}  // namespace bunraku
