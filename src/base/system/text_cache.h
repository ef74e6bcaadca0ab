// Texts of small files that were read before, for as long as the files are as they were. Safe from
// any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "base/system/file_system.h"

namespace bunraku {

class TextCache {
 public:
  // The text that is kept of a file that is as it was; any other file is read. The text of a file
  // that was changed a moment ago is not kept (see is_settled), nor is one whose length is not its
  // size: the system makes it while it is read. While reads are observed, each is one of the file.
  // Throws FileError.
  std::shared_ptr<const std::string> read(const std::string& path);

  // The process's own.
  static TextCache& shared();

 private:
  static constexpr uint64_t kLargestText = 256 * 1024;
  static constexpr uint64_t kMostBytes = 16u << 20;

  struct Entry {
    FileStamp stamp;
    std::shared_ptr<const std::string> text;
  };
  std::shared_ptr<const std::string> find(const std::string& path, const FileStamp& stamp);
  void keep(const std::string& path, Entry entry);

  std::mutex mutex_;
  std::unordered_map<std::string, Entry> entries_;  // by path
  uint64_t bytes_ = 0;
};

}  // namespace bunraku
