// Whether anything below some directories has changed since the last question.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace bunraku::compilation {
class TreeStamps;
}

namespace bunraku::testing {

// Notified by the system where it can be (a question then costs one system call), and by looking at
// every file where not. For one thread at a time.
class FileWatch {
 public:
  // Paths of directories and files; links to directories below them are followed. What is not there
  // is not watched.
  explicit FileWatch(std::vector<std::string> paths);
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  bool has_changed();

 private:
  void begin();
  bool add(const std::string& path, int depth);

  const std::vector<std::string> paths_;
  int descriptor_ = -1;                                    // of inotify; -1: none
  std::unique_ptr<const compilation::TreeStamps> stamps_;  // where there is none
};

}  // namespace bunraku::testing
