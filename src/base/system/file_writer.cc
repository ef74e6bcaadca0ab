// Atomic writing of files: see file_writer.h.
#include "base/system/file_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/system/descriptor.h"
#include "base/system/file_reader.h"

namespace bunraku {
namespace {

constexpr std::string_view kTemporaryPrefix = ".bunraku-";

std::string new_temporary(std::string_view directory) {
  uint64_t number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number)
    number = static_cast<uint64_t>(getpid());
  return join_path(directory, fmt::format("{}{}-{:016x}", kTemporaryPrefix, getpid(), number));
}

// In a directory where everyone may write, another user's link could lead anywhere.
bool is_trusted_link(const std::string& path, const struct stat& link) {
  struct stat directory;
  if (stat(std::string(parent_directory(path)).c_str(), &directory) != 0) return false;
  const bool is_shared = (directory.st_mode & S_ISVTX) != 0 && (directory.st_mode & S_IWOTH) != 0;
  return !is_shared || link.st_uid == geteuid() || link.st_uid == directory.st_uid;
}

int sync(int descriptor) {
  int result = 0;
  do {
    result = fsync(descriptor);
  } while (result != 0 && errno == EINTR);
  return result;
}

// A rename onto another file makes some file systems (ext4) write the new contents to disk at once.
// For a file that is not synced that is most of the cost, and exchanging the names avoids it; after
// a crash of the system the file may be empty. Returns false, with nothing changed, where the file
// system does not support it or the target is a directory.
bool take_place(const std::string& made, const std::string& target) {
  const auto exchange = [&] {
    return renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0;
  };
  if (!exchange()) return false;
  if (unlink(made.c_str()) == 0 || errno != EISDIR) return true;
  exchange();
  return false;
}

// Writes the new name to disk, too. Some file systems do not support this for directories.
void sync_directory(const std::string& directory) {
  const Descriptor file(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (file.is_open()) sync(file.number());
}

}  // namespace

void FileWriter::fail(int error) const {
  throw file_error(error, path_);
}

FileWriter::FileWriter(const std::string& path, const NewFile& kind)
    : path_(path), target_(path), is_synced_(kind.is_synced) {
  struct stat status;
  bool is_there = lstat(target_.c_str(), &status) == 0;
  constexpr int kMostLinks = 40;
  for (int links = 0; !kind.replaces_anything && is_there && S_ISLNK(status.st_mode); ++links) {
    if (links == kMostLinks) fail(ELOOP);
    if (!is_trusted_link(target_, status)) fail(EACCES);
    const std::string next = link_target(target_);
    // The target of a link in /proc may have no name; the system follows it.
    if (target_.starts_with("/proc/") || target_.starts_with("/dev/")) {
      if (stat(target_.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) break;
    }
    target_ = join_path(parent_directory(target_), next);
    is_there = lstat(target_.c_str(), &status) == 0;
  }
  if (is_there && S_ISDIR(status.st_mode)) fail(EISDIR);
  if (is_there && !S_ISREG(status.st_mode) && !kind.replaces_anything) {
    open_special();
  } else {
    open_new(kind);
  }
}

FileWriter::~FileWriter() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

// Opening a pipe without a reader is an error at once.
void FileWriter::open_special() {
  descriptor_ = open(target_.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor_ < 0) fail(errno);
  is_special_ = true;
}

void FileWriter::open_new(const NewFile& kind) {
  const std::string directory(parent_directory(target_));
  const bool has_exact_mode = kind.mode.has_value();
  // The umask applies to 0666; an exact mode is set explicitly.
  const mode_t mode = has_exact_mode ? 0600 : 0666;
  // A file without a name gets one through /proc; not every file system supports such files.
  const bool has_proc = access("/proc/self/fd", X_OK) == 0;
  if (has_proc) descriptor_ = open(directory.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
  if (descriptor_ < 0 && (!has_proc || errno == EOPNOTSUPP || errno == EISDIR)) open_named(mode);
  if (descriptor_ < 0) fail(errno);
  set_owner_and_mode(kind);
}

void FileWriter::open_named(mode_t mode) {
  const std::string directory(parent_directory(target_));
  for (int attempt = 0; attempt < 100; ++attempt) {
    const std::string name = new_temporary(directory);
    descriptor_ = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (descriptor_ >= 0) temporary_ = name;
    if (descriptor_ >= 0 || errno != EEXIST) return;
  }
}

void FileWriter::set_owner_and_mode(const NewFile& kind) {
  if (kind.owner && fchown(descriptor_, kind.owner->user, kind.owner->group) != 0) fail(errno);
  if (kind.mode && fchmod(descriptor_, *kind.mode) != 0) fail(errno);
}

void FileWriter::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<size_t>(count));
    } else if (errno == EAGAIN) {
      pollfd event{descriptor_, POLLOUT, 0};
      constexpr int kLongestWait = 60'000;
      if (poll(&event, 1, kLongestWait) == 0) fail(ETIMEDOUT);
    } else if (errno != EINTR) {
      fail(errno);
    }
  }
}

// Names the unnamed file: with the target's own name when that is free.
void FileWriter::link_temporary() {
  const std::string self = fmt::format("/proc/self/fd/{}", descriptor_);
  const auto link_as = [&](const std::string& name) {
    return linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  };
  if (link_as(target_)) return;
  const std::string directory(parent_directory(target_));
  for (int attempt = 0; attempt < 100 && errno == EEXIST; ++attempt) {
    const std::string name = new_temporary(directory);
    if (!link_as(name)) continue;
    temporary_ = name;
    return;
  }
  fail(errno);
}

void FileWriter::commit() {
  if (is_special_) return;
  if (is_synced_ && sync(descriptor_) != 0) fail(errno);
  if (temporary_.empty()) link_temporary();
  if (!temporary_.empty()) {
    if (is_synced_ || !take_place(temporary_, target_)) {
      if (rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
    }
    temporary_.clear();
  }
  if (is_synced_) sync_directory(std::string(parent_directory(target_)));
}

// The usual mode, which the umask reduces.
void write_file(const std::string& path, std::string_view contents, uint32_t mode) {
  constexpr uint32_t kUsual = 0644;
  write_file(path, contents, mode == kUsual ? NewFile{} : NewFile{.mode = mode});
}

void write_file(const std::string& path, std::string_view contents, const NewFile& kind) {
  FileWriter writer(path, kind);
  writer.write(contents);
  writer.commit();
}

void remove_abandoned_files(const std::string& directory) {
  for (const DirectoryEntry& entry : list_directory(directory)) {
    if (entry.is_directory || !entry.name.starts_with(kTemporaryPrefix)) continue;
    const pid_t writer = std::atoi(entry.name.c_str() + kTemporaryPrefix.size());
    const bool is_abandoned =
        writer > 0 && writer != getpid() && kill(writer, 0) != 0 && errno == ESRCH;
    if (is_abandoned) unlink(join_path(directory, entry.name).c_str());
  }
}

}  // namespace bunraku
