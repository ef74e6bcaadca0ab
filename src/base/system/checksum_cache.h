// Checksums of files that were read before, for as long as the files are as they were. Safe from
// any thread.
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
  // In bytes. The digest of a smaller file is made sooner than another thread begins with it, and
  // sooner than the file is looked at before and after.
  static constexpr int64_t kLargeFile = 256 * 1024;

  // The known checksum of a file that is as it was, otherwise what `make` returns or throws. While
  // another thread makes the same one, waits for it. `kind` distinguishes kinds of checksums
  // ("sha256lite"). `stamp` must have been taken before. The checksum of a file that was changed a
  // moment ago is not kept: the file may change again within the resolution of its times.
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
  std::unordered_set<std::string> in_making_;       // the same
};

}  // namespace bunraku
