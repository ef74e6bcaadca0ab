// Detects changes of files and directories by their stamps.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/system/file_system.h"

namespace bunraku::compilation {

// Immutable, and safe from any thread. Files are not read.
class TreeStamps {
 public:
  // Takes stamps of the paths and everything below them. Missing paths are recorded as such.
  // Directories of version control are left out. A directory that several links lead to is read
  // once.
  explicit TreeStamps(const std::vector<std::string>& paths);

  bool have_changed() const;
  size_t size() const { return stamps_.size(); }

 private:
  std::vector<std::pair<std::string, FileStamp>> stamps_;
};

}  // namespace bunraku::compilation
