// Finds changes of files, by inotify or by their stamps.
#include "testing/file_watch.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/system/directory_walk.h"
#include "base/system/file_system.h"
#include "compilation/tree_stamps.h"

namespace bunraku::testing {
namespace {

constexpr uint32_t kChanges = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO |
                              IN_DELETE_SELF | IN_MOVE_SELF | IN_ATTRIB;

// Suites use /dev/null for missing files, and every process of the system writes to it.
std::vector<std::string> without_devices(std::vector<std::string> paths) {
  std::erase_if(paths, [](const std::string& path) {
    return exists(path) && !is_file(path) && !is_directory(path);
  });
  return paths;
}

}  // namespace

FileWatch::FileWatch(std::vector<std::string> paths) : paths_(without_devices(std::move(paths))) {
  begin();
}

FileWatch::~FileWatch() {
  if (descriptor_ >= 0) close(descriptor_);
}

void FileWatch::begin() {
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (descriptor_ >= 0 && watch_all()) return;
  if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
  stamps_ = std::make_unique<compilation::TreeStamps>(paths_);
}

bool FileWatch::watch_all() {
  bool is_complete =
      std::ranges::all_of(paths_, [this](const std::string& path) { return watch(path); });
  walk_directories(paths_, Links::kEntered,
                   [&](const std::string& path, std::vector<DirectoryEntry>& entries) {
                     const bool is_top = std::ranges::find(paths_, path) != paths_.end();
                     std::erase_if(entries, [&](const DirectoryEntry& entry) {
                       return !is_complete || !entry.is_directory || entry.name.starts_with('.') ||
                              (!is_top && entry.name == "spec");
                     });
                     for (const DirectoryEntry& entry : entries) {
                       is_complete = is_complete && watch(join_path(path, entry.name));
                     }
                   });
  return is_complete;
}

bool FileWatch::watch(const std::string& path) {
  return inotify_add_watch(descriptor_, path.c_str(), kChanges) >= 0 || errno == ENOENT ||
         errno == ENOTDIR || errno == EACCES || errno == ELOOP;
}

bool FileWatch::has_changed() {
  if (descriptor_ < 0) {
    if (!stamps_->have_changed()) return false;
    begin();
    return true;
  }
  bool is_changed = false;
  alignas(inotify_event) char buffer[65536];
  while (read(descriptor_, buffer, sizeof buffer) > 0) is_changed = true;
  if (is_changed) begin();  // directories may have been added or removed
  return is_changed;
}

}  // namespace bunraku::testing
