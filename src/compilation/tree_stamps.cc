// Stamps of file trees.
#include "compilation/tree_stamps.h"

#include <algorithm>
#include <utility>

#include "base/system/directory_walk.h"

namespace bunraku::compilation {
namespace {

bool is_version_control(const std::string& name) {
  return name == ".git" || name == ".hg" || name == ".svn";
}

}  // namespace

TreeStamps::TreeStamps(const std::vector<std::string>& paths) {
  const auto add = [this](std::string path) {
    const FileStamp stamp = file_stamp(path);
    stamps_.emplace_back(std::move(path), stamp);
  };
  for (const std::string& path : paths) add(path);
  walk_directories(paths, Links::kEntered,
                   [&](const std::string& path, std::vector<DirectoryEntry>& entries) {
                     std::erase_if(entries, [](const DirectoryEntry& entry) {
                       return entry.is_directory && is_version_control(entry.name);
                     });
                     for (const DirectoryEntry& entry : entries) add(join_path(path, entry.name));
                   });
}

bool TreeStamps::have_changed() const {
  return std::ranges::any_of(
      stamps_, [](const auto& known) { return !(file_stamp(known.first) == known.second); });
}

}  // namespace bunraku::compilation
