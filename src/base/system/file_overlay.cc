// Files in memory that replace those on disk.
#include "base/system/file_overlay.h"

#include <atomic>
#include <utility>

#include "base/system/file_system.h"

namespace bunraku {
namespace {

thread_local const FileOverlay* overlay = nullptr;

std::string prefix_of(const std::string& directory) {
  return directory.ends_with('/') ? directory : directory + '/';
}

}  // namespace

void FileOverlay::set(const std::string& path, std::string contents) {
  static std::atomic<int64_t> last_version = 0;
  File file{std::make_shared<const std::string>(std::move(contents)), ++last_version};
  const std::lock_guard lock(mutex_);
  files_.insert_or_assign(path, std::move(file));
}

void FileOverlay::remove(const std::string& path) {
  const std::lock_guard lock(mutex_);
  files_.erase(path);
}

std::optional<FileOverlay::File> FileOverlay::find(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  const auto found = files_.find(path);
  if (found == files_.end()) return std::nullopt;
  return found->second;
}

FileOverlay::Files::const_iterator FileOverlay::first_below(std::string_view prefix) const {
  const auto first = files_.lower_bound(prefix);
  return first != files_.end() && first->first.starts_with(prefix) ? first : files_.end();
}

bool FileOverlay::has_directory(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  return first_below(prefix_of(path)) != files_.end();
}

std::vector<DirectoryEntry> FileOverlay::entries(const std::string& path) const {
  const std::string prefix = prefix_of(path);
  std::vector<DirectoryEntry> entries;
  const std::lock_guard lock(mutex_);
  for (auto file = first_below(prefix); file != files_.end() && file->first.starts_with(prefix);
       ++file) {
    const std::string_view rest = std::string_view(file->first).substr(prefix.size());
    const size_t slash = rest.find('/');
    std::string name(rest.substr(0, slash));
    const bool is_directory = slash != rest.npos;
    if (entries.empty() || entries.back().name != name) {
      entries.push_back({std::move(name), is_directory});
    }
  }
  return entries;
}

const FileOverlay* FileOverlay::current() {
  return overlay;
}

OverlaidFiles::OverlaidFiles(const FileOverlay* inner) : outer_(overlay) {
  overlay = inner;
}

OverlaidFiles::~OverlaidFiles() {
  overlay = outer_;
}

}  // namespace bunraku
