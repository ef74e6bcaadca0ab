// Checksums of files that were read before, for as long as the files are as they were. Safe from
// any thread.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "base/system/file_system.h"

namespace bunraku {

class ChecksumCache {
 public:
  // `kind` distinguishes kinds of checksums ("sha256lite"). Nothing for a file that is not known,
  // or has changed since.
  std::optional<std::string> find(const std::string& kind, const std::string& path,
                                  const FileStamp& stamp) const;
  // `stamp` must have been taken before the file was read. A file that was changed a moment ago is
  // not kept: it may change again within the resolution of its times.
  void put(const std::string& kind, const std::string& path, const FileStamp& stamp,
           std::string checksum);

 private:
  static constexpr size_t kMost = 200'000;

  struct Entry {
    FileStamp stamp;
    std::string checksum;
  };
  mutable std::mutex mutex_;
  std::unordered_map<std::string, Entry> entries_;  // by kind and path
};

}  // namespace bunraku
