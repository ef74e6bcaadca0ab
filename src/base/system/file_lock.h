// A lock between processes.
#pragma once

#include <string>

#include "base/system/descriptor.h"

namespace bunraku {

// Takes a file's lock in the constructor, if it is free, and holds it until it is destroyed or the
// process ends in any way. It never waits.
class FileLock {
 public:
  // Creates the file when it does not exist. Throws FileError when that fails.
  explicit FileLock(const std::string& path);

  // Returns false when another process holds the lock.
  bool is_held() const { return is_held_; }

 private:
  Descriptor descriptor_;
  bool is_held_;
};

}  // namespace bunraku
