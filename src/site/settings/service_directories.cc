// Makes directories that settings name, and sets their modes and owners.
#include "site/settings/service_directories.h"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "base/system/file_system.h"
#include "site/settings/settings.h"

namespace bunraku {

namespace {

constexpr mode_t kPermissionBits = 07777;

// By its descriptor: whoever may write to the directory above it may replace it in the meantime.
void set_mode_and_owner(const std::string& path, mode_t mode,
                        const std::optional<FileOwner>& owner) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return;
  struct stat status = {};
  if (fstat(descriptor, &status) == 0) {
    if (owner && (status.st_uid != owner->user || status.st_gid != owner->group)) {
      [[maybe_unused]] const int changed = fchown(descriptor, owner->user, owner->group);
    }
    if ((status.st_mode & kPermissionBits) != mode) fchmod(descriptor, mode);
  }
  close(descriptor);
}

}  // namespace

std::optional<FileOwner> service_owner(const Settings& settings) {
  if (geteuid() != 0) return std::nullopt;
  const passwd* user = getpwnam(settings.text("user").c_str());
  const group* group = getgrnam(settings.text("group").c_str());
  if (user == nullptr || group == nullptr) return std::nullopt;
  return FileOwner{user->pw_uid, group->gr_gid};
}

void manage_directory(const Settings& settings, const SettingDirectory& directory) {
  const std::string path = settings.text(directory.setting);
  if (path.empty()) return;
  const bool is_there = is_directory(path);
  if (!is_there) create_directory(path);
  if (is_there && !settings.is_true("manage_internal_file_permissions")) return;
  set_mode_and_owner(path, directory.mode,
                     directory.is_of_service ? service_owner(settings) : std::nullopt);
}

}  // namespace bunraku
