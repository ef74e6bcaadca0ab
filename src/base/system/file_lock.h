// One process at a time.
#pragma once

#include <string>

#include "base/system/descriptor.h"

namespace bunraku {

// Holds a file's lock from its construction, if it was free, until it is destroyed or the process
// ends, however that happens. It never waits.
class FileLock {
 public:
  // Makes the file when there is none. Throws FileError when that is not possible.
  explicit FileLock(const std::string& path);

  // False: another one holds it.
  bool is_held() const { return is_held_; }

 private:
  Descriptor descriptor_;
  bool is_held_;
};

}  // namespace bunraku
