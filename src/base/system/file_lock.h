// One process at a time.
#pragma once

#include <string>

namespace bunraku {

// Holds a file's lock from its construction, if it was free, until it is destroyed or the process
// ends, however that happens. It never waits.
class FileLock {
 public:
  // Makes the file when there is none. Throws FileError when that is not possible.
  explicit FileLock(const std::string& path);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  // False: another one holds it.
  bool is_held() const { return is_held_; }

 private:
  int descriptor_;
  bool is_held_;
};

}  // namespace bunraku
