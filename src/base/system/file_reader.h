// The detailed interface beside file_system.h: files in pieces, status, links.
//
//  In both, only regular files are read, also through links; for others (a pipe, a device, a
//  terminal) the result is an error at once, so that no read blocks or is endless. Every function
//  sees the thread's overlay (file_overlay.h).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/system/descriptor.h"
#include "base/system/file_system.h"

struct stat;

namespace bunraku {

// The error of a failed system call, by errno.
FileError file_error(int error, std::string path);

// A regular file that is read in pieces. Reads are not reported to observers.
class FileReader {
 public:
  // Throws FileError. /dev/null is read as an empty file. `is_no_device`: the caller knows that
  // opening the path has no side effects; whether it is a regular file is checked afterwards.
  explicit FileReader(const std::string& path, bool is_no_device = false);

  // In bytes, at the time of opening.
  uint64_t size() const { return stamp_.size; }
  // The version that was opened.
  const FileStamp& stamp() const { return stamp_; }
  // Returns whether, by owner and mode, only the user of this process and the superuser can have
  // written it.
  bool is_private() const { return is_private_; }
  // Reads the next bytes; 0 at the end. Throws FileError.
  size_t read(std::span<char> buffer);
  // Reads the rest. Throws FileError, also for more than `largest` bytes.
  std::string read_all(uint64_t largest = kLargestFile);

 private:
  std::string path_;
  Descriptor descriptor_;
  FileStamp stamp_;
  bool is_private_ = false;
  std::shared_ptr<const std::string> overlay_;  // replaces the descriptor
  size_t used_ = 0;                             // bytes of the overlay's file already read
};

// Calls stat(), or lstat() when links are not followed; returns 0 or errno.
int file_status(const std::string& path, bool follows_links, struct stat& status);
bool is_link(const std::string& path);
// Like list_directory() of file_system.h: fills `entries`, which is empty; returns 0 or errno.
int read_entries(const std::string& path, std::vector<DirectoryEntry>& entries);
// The text of the link. Throws FileError.
std::string link_target(const std::string& path);

}  // namespace bunraku
