// Visits directories by their identity on the file system.
#include "base/system/directory_walk.h"

#include <sys/stat.h>

#include <deque>
#include <set>
#include <utility>

#include "base/system/file_reader.h"

namespace bunraku {
namespace {

class Walk {
 public:
  Walk(Links links, const DirectoryVisitor& visit) : links_(links), visit_(visit) {}

  void run(std::span<const std::string> roots) {
    std::deque<std::string> open(roots.begin(), roots.end());
    while (!open.empty()) {
      enter(open.front(), open);
      open.pop_front();
      if (open.empty()) open.swap(linked_);
    }
  }

 private:
  // Visits the directory and adds those in it to `open`, or to the linked ones.
  void enter(const std::string& path, std::deque<std::string>& open) {
    struct stat status;
    const bool exists = file_status(path, true, status) == 0;
    if (exists && !entered_.emplace(status.st_dev, status.st_ino).second) return;
    std::vector<DirectoryEntry> entries;
    if (read_entries(path, entries) != 0) return;
    visit_(path, entries);
    for (const DirectoryEntry& entry : entries) {
      if (!entry.is_directory) continue;
      std::string below = join_path(path, entry.name);
      if (!entry.is_link) {
        open.push_back(std::move(below));
      } else if (links_ == Links::kEntered) {
        linked_.push_back(std::move(below));
      }
    }
  }

  Links links_;
  const DirectoryVisitor& visit_;
  std::set<std::pair<dev_t, ino_t>> entered_;
  std::deque<std::string> linked_;
};

}  // namespace

void walk_directories(std::span<const std::string> roots, Links links,
                      const DirectoryVisitor& visit) {
  Walk(links, visit).run(roots);
}

}  // namespace bunraku
