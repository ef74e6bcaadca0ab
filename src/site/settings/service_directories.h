// Directories that settings name, with the mode and owner that the reference gives them, so that
// its programs find them as they leave them.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string_view>

#include "base/system/file_writer.h"

namespace bunraku {

class Settings;

// The settings `user` and `group` as numbers: what the reference's server, which may share files
// with an agent, runs as. Nothing unless this process is root's and both exist.
std::optional<FileOwner> service_owner(const Settings& settings);

struct SettingDirectory {
  std::string_view setting;
  mode_t mode;
  bool is_of_service;  // belongs to service_owner(), if there is one
};

// Makes the directory and those above it. One that is there gets the mode and owner, unless it is a
// symbolic link or `manage_internal_file_permissions` is off; that this is not allowed is no error.
// Modes and owners in braces in puppet.conf go before those of `directory`.
// Throws FileError when it cannot be made.
void manage_directory(const Settings& settings, const SettingDirectory& directory);

}  // namespace bunraku
