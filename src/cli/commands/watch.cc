#include "cli/commands/watch.h"

#include <fmt/core.h>
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/system/descriptor.h"
#include "base/system/directory_walk.h"
#include "base/system/file_system.h"
#include "cli/frame/fleet_options.h"
#include "cli/frame/session.h"
#include "site/environment/environment_settings.h"

namespace bunraku {
namespace {

// Editors write a file in several steps, which count as one change.
constexpr int kQuietMilliseconds = 80;

// Watches the directories that exist at its construction.
class Watch {
 public:
  explicit Watch(const std::vector<std::string>& paths)
      : descriptor_(inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
    if (!descriptor_.is_open()) {
      throw FileError(FileErrorKind::kOther, "inotify", std::strerror(errno));
    }
    for (const std::string& path : paths) add(path);
    walk_directories(paths, Links::kEntered,
                     [this](const std::string& path, std::vector<DirectoryEntry>& entries) {
                       std::erase_if(entries, [](const DirectoryEntry& entry) {
                         return !entry.is_directory || entry.name.starts_with('.');
                       });
                       for (const DirectoryEntry& entry : entries) {
                         add(join_path(path, entry.name));
                       }
                     });
  }

  // Waits for a change. Returns false after an interrupt.
  bool wait() {
    bool is_changed = false;
    for (;;) {
      pollfd events{descriptor_.number(), POLLIN, 0};
      const int ready = poll(&events, 1, is_changed ? kQuietMilliseconds : -1);
      if (InterruptGuard::flag()) return false;
      if (ready == 0 && is_changed) return true;
      if (ready <= 0) continue;
      char buffer[65536];
      while (read(descriptor_.number(), buffer, sizeof buffer) > 0) is_changed = true;
    }
  }

 private:
  // Does nothing for a path that cannot be watched: the task cannot read it either.
  void add(const std::string& path) {
    inotify_add_watch(descriptor_.number(), path.c_str(),
                      IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO |
                          IN_DELETE_SELF | IN_MOVE_SELF);
  }

  Descriptor descriptor_;
};

}  // namespace

std::vector<std::string> paths_to_watch(Session& session, std::vector<std::string> others) {
  std::erase(others, std::string());
  const auto environment = open_environment(session.load_settings("user"), false);
  if (!environment->directory().empty()) others.push_back(environment->directory());
  for (const std::string& directory : environment->modulepath()) others.push_back(directory);
  return others;
}

int run_and_watch(const std::vector<std::string>& paths, const std::function<int()>& task) {
  for (;;) {
    // Made before the task runs, so that changes during it are noticed.
    Watch watch(paths);
    const int answer = task();
    if (InterruptGuard::flag()) return answer;
    const InterruptGuard interrupt;
    std::fflush(stdout);
    fmt::print(stderr, "Waiting for changes\n");
    if (!watch.wait()) return answer;
  }
}

}  // namespace bunraku
