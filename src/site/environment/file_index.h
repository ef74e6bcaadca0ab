// Which files and directories there are below one root. Directories are listed when something
// within them is first asked for, and stay as they were then. Safe from any thread; no lock is held
// while a directory is read. Observers of reads are not notified: the caller reports what it
// asked for.
#pragma once

#include <memory>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace bunraku {

class FileIndex {
 public:
  // Of what lies below `tops`, relative paths of directories of which none is within another; they
  // must live as long as this. Without a root there is nothing.
  FileIndex(std::string root, std::span<const std::string_view> tops)
      : root_(std::move(root)), tops_(tops) {}

  bool has_file(std::string_view relative_path) const;
  bool has_directory(std::string_view relative_path) const;

 private:
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  // By name: is it a directory?
  using Entries = std::unordered_map<std::string, bool, TextHash, std::equal_to<>>;

  // Null when there is no such directory.
  const Entries* entries_of(std::string_view directory) const;
  std::unique_ptr<const Entries> list(std::string_view directory) const;

  std::string root_;
  std::span<const std::string_view> tops_;
  mutable std::shared_mutex mutex_;
  mutable std::unordered_map<std::string, std::unique_ptr<const Entries>, TextHash, std::equal_to<>>
      directories_;  // null: there is none
};

}  // namespace bunraku
