// The file system as an environment needs it: directories' names, globs, Ruby's rules for paths.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/system/file_system.h"

namespace bunraku {

// A file's bytes. Throws EvaluationError with the system's reason and the path.
std::string read_environment_file(const std::string& path);
// The same, of a file that many compilations read (see TextCache).
std::shared_ptr<const std::string> read_shared_file(const std::string& path);
// Nothing when there is no such file; throws when it cannot be read.
std::optional<std::string> read_file_if_exists(const std::string& path);

// The names of the directories in a directory, sorted; empty when it cannot be read.
std::vector<std::string> list_directories(const std::string& path);
// The paths, relative to `path`, of all files below it, sorted. Directories reached through links
// are entered; a loop of links ends at a fixed depth.
std::vector<std::string> list_files_below(const std::string& path);

// Ruby's File.expand_path: absolute, without . and .., relative to `base`.
std::string expand_path(std::string_view path, std::string_view base);

// What the link at `path` names, from the current directory on; any other path is its own answer.
std::string target_of_link(const std::string& path);

// Ruby's Pathname#+: of `path`, below the absolute directory `base`, the . and .. at its beginning
// are resolved, and the rest stays as it is written. An absolute `path` is its own answer.
std::string join_pathname(std::string_view base, std::string_view path);

// "a:b:c"
std::vector<std::string> split_path_list(std::string_view list);

}  // namespace bunraku
