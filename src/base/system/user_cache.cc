// The user's directory for caches.
#include "base/system/user_cache.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "base/system/file_reader.h"
#include "base/system/file_system.h"
#include "base/system/file_writer.h"

namespace bunraku {
namespace {

// Relative paths are ignored, as the XDG base directory specification requires.
std::string absolute(const char* variable) {
  const char* path = std::getenv(variable);
  return path != nullptr && *path == '/' ? path : std::string();
}

bool is_own_directory(const std::string& path) {
  struct stat status;
  return file_status(path, false, status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// Follows links.
bool is_of_user(const std::string& path) {
  struct stat status;
  return file_status(path, true, status) == 0 && status.st_uid == geteuid();
}

}  // namespace

bool make_user_cache(const std::string& directory) {
  const std::string cache(parent_directory(directory));
  const std::string above(parent_directory(cache));
  if (!is_of_user(exists(above) ? above : std::string(parent_directory(above)))) return false;
  create_private_directory(directory);
  return is_own_directory(cache) && is_own_directory(directory);
}

std::string user_cache_directory() {
  if (const std::string caches = absolute("XDG_CACHE_HOME"); !caches.empty()) {
    return caches + "/bunraku";
  }
  const std::string home = absolute("HOME");
  return home.empty() ? std::string() : home + "/.cache/bunraku";
}

}  // namespace bunraku
