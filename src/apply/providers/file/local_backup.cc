// Copies for `backup`. Trees are copied without following links, and a copied directory is
// accessible to its owner only until it is complete.
#include "apply/providers/file/local_backup.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <utility>
#include <vector>

#include "apply/transaction/failure.h"
#include "base/system/file_system.h"
#include "base/system/file_writer.h"

namespace bunraku::apply {
namespace {

constexpr const char* kFailed = "Could not back up; will not remove";

void check(int result) {
  if (result != 0) throw Failure(kFailed);
}

struct stat info_of(const std::string& path, bool follows) {
  struct stat info = {};
  check((follows ? stat : lstat)(path.c_str(), &info));
  return info;
}

void copy_file(const std::string& path, const std::string& copy, const struct stat& old,
               bool is_root) {
  NewFile kind{.mode = old.st_mode & 07777, .replaces_anything = true};
  if (is_root) kind.owner = FileOwner{old.st_uid, old.st_gid};
  const timespec times[2] = {old.st_atim, old.st_mtim};
  FileWriter writer(copy, kind);
  writer.write(read_file(path));
  check(futimens(writer.descriptor(), times));
  writer.commit();
}

void copy_link(const std::string& path, const std::string& copy, const struct stat& old,
               bool is_root) {
  const std::string target = std::filesystem::read_symlink(path).string();
  check(symlink(target.c_str(), copy.c_str()));
  if (is_root) check(lchown(copy.c_str(), old.st_uid, old.st_gid));
}

void finish_directory(const std::string& copy, const struct stat& old, bool is_root) {
  if (is_root) check(lchown(copy.c_str(), old.st_uid, old.st_gid));
  check(chmod(copy.c_str(), old.st_mode & 07777));
  const timespec times[2] = {old.st_atim, old.st_mtim};
  check(utimensat(AT_FDCWD, copy.c_str(), times, AT_SYMLINK_NOFOLLOW));
}

void copy_directory(const std::string& path, const std::string& copy, const struct stat& top,
                    bool is_root) {
  check(mkdir(copy.c_str(), 0700));
  std::vector<std::pair<std::string, struct stat>> directories = {{copy, top}};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    const std::string from = entry.path().string();
    const std::string to = copy + from.substr(path.size());
    const struct stat old = info_of(from, false);
    if (S_ISDIR(old.st_mode)) {
      check(mkdir(to.c_str(), 0700));
      directories.emplace_back(to, old);
    } else if (S_ISLNK(old.st_mode)) {
      copy_link(from, to, old, is_root);
    } else if (S_ISREG(old.st_mode)) {
      copy_file(from, to, old, is_root);
    }
  }
  // The innermost first, because writing into a directory changes its times.
  while (!directories.empty()) {
    finish_directory(directories.back().first, directories.back().second, is_root);
    directories.pop_back();
  }
}

}  // namespace

void copy_beside(const std::string& path, const std::string& copy, bool is_root) {
  struct stat earlier = {};
  if (lstat(copy.c_str(), &earlier) == 0 && S_ISDIR(earlier.st_mode)) {
    throw Failure(fmt::format("Will not remove directory backup {}; use a filebucket", copy));
  }
  try {
    const struct stat old = info_of(path, true);
    if (S_ISDIR(old.st_mode)) {
      std::filesystem::remove(copy);
      copy_directory(std::filesystem::canonical(path).string(), copy, old, is_root);
    } else if (S_ISREG(old.st_mode)) {
      remove_abandoned_files(std::string(parent_directory(copy)));
      copy_file(path, copy, old, is_root);
    }
  } catch (const FileError&) {
    throw Failure(kFailed);
  } catch (const std::filesystem::filesystem_error&) {
    throw Failure(kFailed);
  }
}

}  // namespace bunraku::apply
