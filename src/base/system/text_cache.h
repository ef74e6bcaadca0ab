// Cached texts of small files, valid while the files are unchanged. Thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/system/file_system.h"

namespace bunraku {

// The text of a file, and its digest. Thread-safe.
class FileText {
 public:
  explicit FileText(std::string text) : text_(std::move(text)) {}

  const std::string& text() const { return text_; }
  // The SHA-256 in hexadecimal digits, computed by the first call.
  const std::string& digest() const;

 private:
  std::string text_;
  mutable std::once_flag has_digest_;
  mutable std::string digest_;
};

class TextCache {
 public:
  // Returns the cached text of an unchanged file; reads any other file. Not cached are the text of
  // a very recently changed file (see is_settled), and one whose length differs from its size,
  // because the system generates it during the read. While reads are observed, each call is
  // reported as a read. Throws FileError.
  std::shared_ptr<const FileText> read(const std::string& path);

  // The cache of the process.
  static TextCache& shared();

 private:
  static constexpr uint64_t kLargestText = 256 * 1024;
  static constexpr uint64_t kMostBytes = 16u << 20;

  struct Entry {
    FileStamp stamp;
    std::shared_ptr<const FileText> text;
  };
  // Returns an empty entry for a path that is not cached.
  Entry find(const std::string& path);
  void keep(const std::string& path, Entry entry);

  std::mutex mutex_;
  std::unordered_map<std::string, Entry> entries_;  // by path
  uint64_t bytes_ = 0;
};

}  // namespace bunraku
