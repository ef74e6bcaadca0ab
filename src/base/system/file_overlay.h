// Files that are not on disk, or with other contents there: an editor's unsaved buffers, a test's
// files. While an overlay is in use on a thread, all functions of file_system.h see its files on
// top of those on disk, with the directories that lead to them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bunraku {

struct DirectoryEntry;

// Paths are absolute, without links, "." and ".." (absolute_path()). Thread-safe.
class FileOverlay {
 public:
  struct File {
    std::shared_ptr<const std::string> contents;
    int64_t version;  // larger than that of any earlier file in any overlay
  };

  void set(const std::string& path, std::string contents);
  // The file on disk is visible again.
  void remove(const std::string& path);

  std::optional<File> find(const std::string& path) const;
  // Returns whether there is a file below it.
  bool has_directory(const std::string& path) const;
  // The entries directly in it, by name.
  std::vector<DirectoryEntry> entries(const std::string& path) const;

  // The overlay of this thread; null when there is none.
  static const FileOverlay* current();

 private:
  using Files = std::map<std::string, File, std::less<>>;
  // Returns the first file below a directory ("/a/").
  Files::const_iterator first_below(std::string_view prefix) const;

  mutable std::mutex mutex_;
  Files files_;
};

// Sets the overlay of this thread during its lifetime.
class OverlaidFiles {
 public:
  explicit OverlaidFiles(const FileOverlay* overlay);
  ~OverlaidFiles();
  OverlaidFiles(const OverlaidFiles&) = delete;
  OverlaidFiles& operator=(const OverlaidFiles&) = delete;

 private:
  const FileOverlay* outer_;
};

}  // namespace bunraku
