// Stamps of file trees.
#include "compilation/tree_stamps.h"

#include <algorithm>

namespace bunraku::compilation {
namespace {

constexpr int kMostDepth = 32;

bool is_version_control(const std::string& name) {
  return name == ".git" || name == ".hg" || name == ".svn";
}

}  // namespace

TreeStamps::TreeStamps(const std::vector<std::string>& paths) {
  ReadDirectories read;
  for (const std::string& path : paths) add(path, 0, read);
}

void TreeStamps::add(const std::string& path, int depth, ReadDirectories& read) {
  const FileStamp stamp = file_stamp(path);
  stamps_.emplace_back(path, stamp);
  if (depth >= kMostDepth || !is_directory(path)) return;
  if (!read.insert({stamp.inode, stamp.changed}).second) return;
  std::vector<DirectoryEntry> entries;
  try {
    entries = list_directory(path);
  } catch (const FileError&) {
    return;  // an unreadable directory is represented by its own stamp
  }
  for (const DirectoryEntry& entry : entries) {
    const std::string below = join_path(path, entry.name);
    if (!entry.is_directory) {
      stamps_.emplace_back(below, file_stamp(below));
    } else if (!is_version_control(entry.name)) {
      add(below, depth + 1, read);
    }
  }
}

bool TreeStamps::have_changed() const {
  return std::ranges::any_of(
      stamps_, [](const auto& known) { return !(file_stamp(known.first) == known.second); });
}

}  // namespace bunraku::compilation
