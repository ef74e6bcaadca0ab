// Detects changes below some directories since the last check.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace bunraku::compilation {
class TreeStamps;
}

namespace bunraku::testing {

// Uses notifications of the system if possible (a check then costs one system call), and otherwise
// stamps of all files. Used by one thread at a time.
class FileWatch {
 public:
  // Paths of directories and files; links to directories below them are followed. Paths that do not
  // exist are not watched.
  explicit FileWatch(std::vector<std::string> paths);
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  bool has_changed();

 private:
  void begin();
  // Watches the paths and the directories below them that may contain code: the top ones in full,
  // others without their suites. Returns false when the system refuses more watches.
  bool watch_all();
  // The same for one path. Paths that do not exist, or that the compiler cannot read either, are
  // left out.
  bool watch(const std::string& path);

  const std::vector<std::string> paths_;
  int descriptor_ = -1;                                    // of inotify; -1: unavailable
  std::unique_ptr<const compilation::TreeStamps> stamps_;  // used without inotify
};

}  // namespace bunraku::testing
