// Makes directories and sets their modes and owners.
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
// The values with which fchown leaves an identity unchanged.
constexpr uid_t kAnyUser = static_cast<uid_t>(-1);
constexpr gid_t kAnyGroup = static_cast<gid_t>(-1);

// The owner in braces in puppet.conf, or else that of the setting.
FileOwner owner_of(const Settings& settings, const SettingDirectory& directory,
                   const FileOptions& options) {
  FileOwner owner{kAnyUser, kAnyGroup};
  if (geteuid() != 0) return owner;
  const std::optional<FileOwner> service = service_owner(settings);
  if (directory.is_of_service && service) owner = *service;
  if (options.owner == "root") owner.user = 0;
  if (options.owner == "service") owner.user = service ? service->user : 0;
  if (options.group == "root") owner.group = 0;
  if (options.group == "service") owner.group = service ? service->group : kAnyGroup;
  return owner;
}

// Uses a descriptor, because users who can write to the parent directory may replace the directory
// meanwhile.
void set_mode_and_owner(const std::string& path, mode_t mode, const FileOwner& owner) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return;
  struct stat status = {};
  if (fstat(descriptor, &status) == 0) {
    const bool keeps_user = owner.user == kAnyUser || owner.user == status.st_uid;
    const bool keeps_group = owner.group == kAnyGroup || owner.group == status.st_gid;
    if (!keeps_user || !keeps_group) {
      [[maybe_unused]] const int changed = fchown(descriptor, owner.user, owner.group);
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
  const FileOptions options = settings.file_options(directory.setting);
  set_mode_and_owner(path, options.mode.value_or(directory.mode),
                     owner_of(settings, directory, options));
}

}  // namespace bunraku
