// Finds changes of files, by inotify or by their stamps.
#include "testing/file_watch.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/system/file_system.h"
#include "compilation/tree_stamps.h"

namespace bunraku::testing {
namespace {

constexpr int kMostDepth = 32;
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
  Depths reached;
  const bool is_notified =
      descriptor_ >= 0 &&
      std::ranges::all_of(paths_, [&](const std::string& path) { return add(path, 0, reached); });
  if (is_notified) return;
  if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
  stamps_ = std::make_unique<compilation::TreeStamps>(paths_);
}

// Returns false when the system refuses more watches.
bool FileWatch::add(const std::string& path, int depth, Depths& reached) {
  if (depth > kMostDepth) return true;
  const int watch = inotify_add_watch(descriptor_, path.c_str(), kChanges);
  if (watch < 0) {
    return errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == ELOOP;
  }
  if (!is_directory(path)) return true;
  // Links may form cycles. The top directory is read in full, and others are not.
  const auto [known, is_new] = reached.try_emplace(watch, depth);
  if (!is_new && known->second <= depth) return true;
  known->second = depth;
  std::vector<DirectoryEntry> entries;
  try {
    entries = list_directory(path);
  } catch (const FileError&) {
    return true;  // the compiler cannot read such a directory either
  }
  return std::ranges::all_of(entries, [&](const DirectoryEntry& entry) {
    const bool is_code =
        entry.is_directory && !entry.name.starts_with('.') && !(depth >= 1 && entry.name == "spec");
    return !is_code || add(join_path(path, entry.name), depth + 1, reached);
  });
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
