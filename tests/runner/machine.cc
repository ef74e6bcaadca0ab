#include "runner/machine.h"

#include <sched.h>
#include <sys/mount.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

namespace bunraku::cases {

namespace fs = std::filesystem;

std::string hide_vendor_packages() {
  std::vector<std::string> directories;
  for (const char* directory : {"/etc/puppetlabs", "/opt/puppetlabs"}) {
    if (fs::is_directory(directory)) directories.push_back(directory);
  }
  if (directories.empty()) return {};
  bool is_hidden =
      unshare(CLONE_NEWNS) == 0 && mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
  for (const std::string& directory : directories) {
    is_hidden = is_hidden && mount("none", directory.c_str(), "tmpfs", 0, "mode=755") == 0;
  }
  if (is_hidden) return {};
  return directories.front() +
         " changes what cases answer, and cannot be hidden: " + std::strerror(errno);
}

}  // namespace bunraku::cases
