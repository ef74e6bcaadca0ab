// What file_system.h has in simple form, in detail: files piece by piece, status, links, patterns.
//
// Here and there, only regular files are read, through links; what else a name leads to (a pipe, a
// device, a terminal) is an error at once: nothing waits, or reads without end. An overlay of the
// thread (file_overlay.h) is seen by every function.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/system/descriptor.h"
#include "base/system/file_system.h"

struct stat;

namespace bunraku {

// The error of a system call that has set errno.
FileError file_error(int error, std::string path);

// A regular file that is read piece by piece. Reads are not reported to observers.
class FileReader {
 public:
  // Throws FileError. /dev/null is read as the empty file that it looks like. `is_seen`: the caller
  // has just seen that it is a regular file, which is checked again once it is open.
  explicit FileReader(const std::string& path, bool is_seen = false);

  // In bytes, when it was opened.
  uint64_t size() const { return size_; }
  // Only the user who runs this process and the superuser can have written it, as far as its owner
  // and mode say.
  bool is_private() const { return is_private_; }
  // The next bytes; 0 at the end. Throws FileError.
  size_t read(std::span<char> buffer);
  // All that follows. Throws FileError, also for more than `largest` bytes.
  std::string read_all(uint64_t largest = kLargestFile);

 private:
  std::string path_;
  Descriptor descriptor_;
  uint64_t size_ = 0;
  bool is_private_ = false;
  std::shared_ptr<const std::string> overlay_;  // in place of the descriptor
  size_t used_ = 0;                             // of the overlay
};

// What stat() says, or lstat() when links are not followed; 0 or errno.
int file_status(const std::string& path, bool follows_links, struct stat& status);
bool is_link(const std::string& path);
// As list_directory() of file_system.h: fills `entries`, which is empty; 0 or errno.
int read_entries(const std::string& path, std::vector<DirectoryEntry>& entries);
// What the link holds, as it stands there. Throws FileError.
std::string link_target(const std::string& path);
// The paths that the pattern matches, as of glob() with braces, in its order.
std::vector<std::string> matching_paths(const std::string& pattern);

}  // namespace bunraku
