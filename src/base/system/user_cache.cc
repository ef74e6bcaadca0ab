// The user's directory for caches.
#include "base/system/user_cache.h"

#include <cstdlib>

namespace bunraku {
namespace {

// Relative paths are ignored, as the XDG base directory specification requires.
std::string absolute(const char* variable) {
  const char* path = std::getenv(variable);
  return path != nullptr && *path == '/' ? path : std::string();
}

}  // namespace

std::string user_cache_directory() {
  if (const std::string caches = absolute("XDG_CACHE_HOME"); !caches.empty()) {
    return caches + "/bunraku";
  }
  const std::string home = absolute("HOME");
  return home.empty() ? std::string() : home + "/.cache/bunraku";
}

}  // namespace bunraku
