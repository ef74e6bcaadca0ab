// Repeats a task whenever files change.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace bunraku {

// Runs `task`, and again each time a path (a directory with its contents, or a file) changes, until
// an interrupt. Returns the result of the last run. Throws FileError when the system cannot watch
// files.
int run_and_watch(const std::vector<std::string>& paths, const std::function<int()>& task);

class Session;

// The directories of the settings' environment and its modules, and the paths in `others` that are
// not empty.
std::vector<std::string> paths_to_watch(Session& session, std::vector<std::string> others);

}  // namespace bunraku
