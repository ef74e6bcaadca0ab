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
  std::vector<std::string> folders;
  for (const char* folder : {"/etc/puppetlabs", "/opt/puppetlabs"}) {
    if (fs::is_directory(folder)) folders.push_back(folder);
  }
  if (folders.empty()) return {};
  bool is_hidden = unshare(CLONE_NEWNS) == 0 &&
                   mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
  for (const std::string& folder : folders) {
    is_hidden = is_hidden && mount("none", folder.c_str(), "tmpfs", 0, "mode=755") == 0;
  }
  if (is_hidden) return {};
  return folders.front() + " changes what cases answer, and cannot be hidden: " +
         std::strerror(errno);
}

}  // namespace bunraku::cases
