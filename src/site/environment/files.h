// File system functions for environments: names of directories, globs, Ruby's rules for paths.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/system/directory_walk.h"
#include "base/system/file_system.h"
#include "base/system/text_cache.h"

namespace bunraku {

// Returns the contents of a file. Throws EvaluationError with the system's reason and the path.
std::string read_environment_file(const std::string& path);
// Returns the version of the same file, which changes with its contents. Throws as the above.
FileVersion read_environment_file_version(const std::string& path);
// As above, for a file that many compilations read (see TextCache).
std::shared_ptr<const FileText> read_shared_file(const std::string& path);
// Returns no value when there is no such file; throws when it cannot be read.
std::optional<std::string> read_file_if_exists(const std::string& path);

// The names of the directories in a directory, sorted; empty when it cannot be read.
std::vector<std::string> list_directories(const std::string& path);
// The paths, relative to `path`, of all files that walk_directories() finds below it, sorted.
std::vector<std::string> list_files_below(const std::string& path, Links links = Links::kEntered);

// Ruby's File.expand_path: absolute, without . and .., relative to `base`.
std::string expand_path(std::string_view path, std::string_view base);

// The absolute target of the symbolic link at `path`; returns any other path unchanged.
std::string target_of_link(const std::string& path);

// Ruby's Pathname#+: resolves . and .. at the start of `path` against the absolute directory `base`
// and leaves the rest as written. Returns an absolute `path` unchanged.
std::string join_pathname(std::string_view base, std::string_view path);

// Splits "a:b:c".
std::vector<std::string> split_path_list(std::string_view list);

}  // namespace bunraku
