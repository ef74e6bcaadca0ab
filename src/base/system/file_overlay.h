// Files that are not on the disk, or not as they are there: an editor's unsaved buffers, a test's
// files. While an overlay is in use on a thread, all functions of file_system.h see its files on
// top of the disk's, with the directories that lead to them.
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

// Paths are absolute and without links, "." and ".." (absolute_path()). Safe from any thread.
class FileOverlay {
 public:
  struct File {
    std::shared_ptr<const std::string> contents;
    int64_t version;  // larger than that of any file before, in every overlay
  };

  void set(const std::string& path, std::string contents);
  // What the disk has shows again.
  void remove(const std::string& path);

  std::optional<File> find(const std::string& path) const;
  // Is there a file below it?
  bool has_directory(const std::string& path) const;
  // What lies directly in it, by name.
  std::vector<DirectoryEntry> entries(const std::string& path) const;

  // That of this thread; null when it sees the disk alone.
  static const FileOverlay* current();

 private:
  using Files = std::map<std::string, File, std::less<>>;
  // The first of those below a directory ("/a/").
  Files::const_iterator first_below(std::string_view prefix) const;

  mutable std::mutex mutex_;
  Files files_;
};

// Makes an overlay that of this thread while it stands.
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
