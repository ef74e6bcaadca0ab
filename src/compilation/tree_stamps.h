// Whether files and directories are still as they were.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/system/file_system.h"

namespace bunraku::compilation {

// Immutable; any thread may ask. Nothing is read, only looked at.
class TreeStamps {
 public:
  // Takes what stands at each of the paths and below them as it is now. What is not there counts,
  // too. Directories of version control are left out.
  explicit TreeStamps(const std::vector<std::string>& paths);

  bool have_changed() const;
  size_t size() const { return stamps_.size(); }

 private:
  void add(const std::string& path, int depth);

  std::vector<std::pair<std::string, FileStamp>> stamps_;
};

}  // namespace bunraku::compilation
