// Makes directories that settings name, with the mode and owner that the reference's programs
// assign and expect.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string_view>

#include "base/system/file_writer.h"

namespace bunraku {

class Settings;

// The settings `user` and `group` as numbers: the account of the reference's server, which may
// share files with an agent. No value unless this process runs as root and both exist.
std::optional<FileOwner> service_owner(const Settings& settings);

struct SettingDirectory {
  std::string_view setting;
  mode_t mode;
  bool is_of_service;  // belongs to service_owner(), if it has a value
};

// Makes the directory and its parents. An existing one gets the mode and owner, unless it is a
// symbolic link or `manage_internal_file_permissions` is off; missing permission for that is not an
// error. Modes and owners in braces in puppet.conf take precedence over those of `directory`.
// Throws FileError when it cannot be made.
void manage_directory(const Settings& settings, const SettingDirectory& directory);

}  // namespace bunraku
