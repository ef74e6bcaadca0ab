#include "site/file_serving/file_set.h"

#include <fmt/format.h>
#include <fnmatch.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <memory>

#include "base/diagnostics/log.h"
#include "base/system/file_reader.h"
#include "site/file_serving/failure.h"

namespace bunraku {
namespace {

// The number of files above which a set without a limit of its own causes a warning.
constexpr size_t kSoftLimit = 1000;
// A bound on depth like the system's on links; loops of directories are found earlier, by their
// identity.
constexpr int kDeepest = 1000;

// A directory that is being listed, with the directories that it was reached through.
struct Directory {
  std::string relative_path;  // empty: the set's own
  int depth;
  dev_t device;
  ino_t inode;
  std::shared_ptr<const Directory> parent;
};

class FileSet {
 public:
  FileSet(const std::string& directory, const FileSetOptions& options)
      : directory_(directory), options_(options) {}

  std::vector<std::string> list() {
    add_directory({}, 0, nullptr);
    while (!waiting_.empty()) {
      const std::shared_ptr<const Directory> next = waiting_.front();
      waiting_.pop_front();
      list(next);
    }
    return std::move(found_);
  }

 private:
  std::string on_disk(const std::string& relative_path) const {
    return relative_path.empty() ? directory_ : directory_ + '/' + relative_path;
  }

  // Adds the entries of a directory; paths that are not directories are ignored.
  void add_directory(const std::string& relative_path, int depth,
                     std::shared_ptr<const Directory> parent) {
    if (depth + 1 > options_.recursion_limit) return;
    struct stat status;
    const std::string path = on_disk(relative_path);
    if (file_status(path, options_.follows_links, status) != 0) return;
    if (!S_ISDIR(status.st_mode)) return;
    auto directory = std::make_shared<const Directory>(
        Directory{relative_path, depth, status.st_dev, status.st_ino, std::move(parent)});
    if (is_loop(*directory)) {
      fail_to_serve(fmt::format("Too many levels of symbolic links - {}", path));
    }
    if (depth > kDeepest) fail_to_serve(fmt::format("Too many levels of directories - {}", path));
    waiting_.push_back(std::move(directory));
  }

  static bool is_loop(const Directory& directory) {
    for (const Directory* above = directory.parent.get(); above; above = above->parent.get()) {
      if (above->device == directory.device && above->inode == directory.inode) return true;
    }
    return false;
  }

  void list(const std::shared_ptr<const Directory>& directory) {
    for (const DirectoryEntry& entry : entries_of(on_disk(directory->relative_path))) {
      if (is_ignored(entry.name)) continue;
      found_.push_back(directory->relative_path.empty()
                           ? entry.name
                           : directory->relative_path + '/' + entry.name);
      add_directory(found_.back(), directory->depth + 1, directory);
    }
  }

  static std::vector<DirectoryEntry> entries_of(const std::string& path) {
    try {
      return list_directory(path);
    } catch (const FileError& error) {
      fail_to_serve(fmt::format("{} @ dir_initialize - {}", error.reason(), path));
    }
  }

  bool is_ignored(const std::string& name) const {
    return std::ranges::any_of(
        options_.ignored, [&](const std::string& pattern) { return matches_name(pattern, name); });
  }

  const std::string& directory_;
  const FileSetOptions& options_;
  std::deque<std::shared_ptr<const Directory>> waiting_;
  std::vector<std::string> found_;
};

void check_count(const std::string& directory, size_t count, double limit, LogSink* log) {
  if (limit > 0 && static_cast<double>(count) > limit) {
    fail_to_serve(fmt::format(
        "The directory '{}' contains {} entries, which exceeds the limit of {} specified by the "
        "max_files parameter for this resource. The limit may be increased, but be aware that "
        "large number of file resources can result in excessive resource consumption and degraded "
        "performance. Consider using an alternate method to manage large directory trees",
        directory, count, limit));
  }
  if (limit != 0 || count <= kSoftLimit || log == nullptr) return;
  LogRecord record;
  record.level = LogLevel::kWarning;
  record.message = fmt::format(
      "The directory '{}' contains {} entries, which exceeds the default soft limit {} and may "
      "cause excessive resource consumption and degraded performance. To remove this warning set "
      "a value for `max_files` parameter or consider using an alternate method to manage large "
      "directory trees",
      directory, count, kSoftLimit);
  log->log(record);
}

}  // namespace

std::vector<std::string> list_file_set(const std::string& directory, const FileSetOptions& options,
                                       LogSink* log) {
  std::vector<std::string> files = FileSet(directory, options).list();
  check_count(directory, files.size(), options.max_files, log);
  files.insert(files.begin(), ".");
  return files;
}

bool matches_name(const std::string& pattern, const std::string& name) {
  return ::fnmatch(pattern.c_str(), name.c_str(), FNM_PERIOD) == 0;
}

}  // namespace bunraku
