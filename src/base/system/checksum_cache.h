// Cached checksums of files, valid while the files are unchanged. Thread-safe.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "base/system/file_system.h"

namespace bunraku {

class ChecksumCache {
 public:
  // In bytes. For a smaller file, computing the digest is faster than coordinating threads and
  // checking the file before and after.
  static constexpr int64_t kLargeFile = 256 * 1024;

  // Returns the cached checksum of an unchanged file, otherwise the result of `make`. While another
  // thread computes the same one, waits for it. `kind` distinguishes kinds of checksums
  // ("sha256lite"). `stamp` must have been taken before. The checksum of a very recently changed
  // file is not kept, because the file may change again within the resolution of its times.
  std::string of(const std::string& kind, const std::string& path, const FileStamp& stamp,
                 const std::function<std::string()>& make);

 private:
  static constexpr size_t kMost = 200'000;

  struct Entry {
    FileStamp stamp;
    std::string checksum;
  };
  std::mutex mutex_;
  std::condition_variable has_made_;
  std::unordered_map<std::string, Entry> entries_;  // by kind and path
  std::unordered_set<std::string> in_making_;       // by kind and path
};

}  // namespace bunraku
