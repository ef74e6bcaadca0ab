// Locks that the system releases at the end of the process.
#include "base/system/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "base/system/file_reader.h"

namespace bunraku {

FileLock::FileLock(const std::string& path)
    : descriptor_(
          open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600)) {
  if (!descriptor_.is_open()) throw file_error(errno, path);
  is_held_ = flock(descriptor_.number(), LOCK_EX | LOCK_NB) == 0;
}

}  // namespace bunraku
