#include "base/system/file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/system/reads.h"

namespace bunraku {
namespace {

FileErrorKind kind_of(int error) {
  switch (error) {
    case ENOENT:
      return FileErrorKind::kMissing;
    case EACCES:
    case EPERM:
      return FileErrorKind::kUnreadable;
    case EISDIR:
      return FileErrorKind::kIsDirectory;
    case ENOTDIR:
      return FileErrorKind::kNotDirectory;
    default:
      return FileErrorKind::kOther;
  }
}

[[noreturn]] void fail(int error, const std::string& path) {
  throw FileError(kind_of(error), path, std::strerror(error));
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ > STDERR_FILENO) close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

std::string read_descriptor(int descriptor, const std::string& path, uint64_t largest) {
  struct stat status;
  if (fstat(descriptor, &status) != 0) fail(errno, path);
  if (S_ISDIR(status.st_mode)) fail(EISDIR, path);
  auto refuse = [&] {
    throw FileError(FileErrorKind::kTooLarge, path,
                    fmt::format("larger than {} MB", largest >> 20));
  };
  uint64_t expected = S_ISREG(status.st_mode) ? static_cast<uint64_t>(status.st_size) : 0;
  if (expected > largest) refuse();
  std::string contents;
  // One byte more, so that the end of a plain file is found without growing.
  contents.resize(std::max<uint64_t>(expected + 1, 4096));
  size_t used = 0;
  while (true) {
    if (used == contents.size()) contents.resize(contents.size() * 2);
    ssize_t count = read(descriptor, contents.data() + used, contents.size() - used);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(errno, path);
    if (count == 0) break;
    used += static_cast<size_t>(count);
    if (used > largest) refuse();
  }
  contents.resize(used);
  return contents;
}

bool told(const std::string& path, PathTest test, bool answer) {
  if (ReadObserver* observer = ReadObserver::current()) observer->path(path, test, answer);
  return answer;
}

bool has_type(const std::string& path, mode_t type) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && (status.st_mode & S_IFMT) == type;
}

}  // namespace

FileError::FileError(FileErrorKind kind, std::string path, std::string reason) : kind_(kind) {
  std::string message = fmt::format("{} - {}", reason, path);
  shared_ = std::make_shared<const Shared>(
      Shared{std::move(path), std::move(reason), std::move(message)});
}

std::string read_file(const std::string& path, uint64_t largest) {
  ReadObserver* const observer = ReadObserver::current();
  if (path == "-") {
    tell_untracked("standard input was read");
    return read_descriptor(STDIN_FILENO, "standard input", largest);
  }
  Descriptor descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (descriptor.number() < 0) {
    const int error = errno;
    if (observer != nullptr) observer->file(path, {});
    fail(error, path);
  }
  std::string contents = read_descriptor(descriptor.number(), path, largest);
  if (observer != nullptr) observer->file(path, read_digest(contents));
  return contents;
}

bool is_file(const std::string& path) {
  return told(path, PathTest::kIsFile, has_type(path, S_IFREG));
}
bool is_directory(const std::string& path) {
  return told(path, PathTest::kIsFolder, has_type(path, S_IFDIR));
}

bool exists(const std::string& path) {
  struct stat status;
  return told(path, PathTest::kExists, stat(path.c_str(), &status) == 0);
}

FileStamp file_stamp(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return {};
  const auto nanoseconds = [](const timespec& time) {
    return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  };
  return {static_cast<uint64_t>(status.st_size), status.st_ino, nanoseconds(status.st_mtim),
          nanoseconds(status.st_ctim)};
}

std::vector<DirectoryEntry> list_directory(const std::string& path) {
  ReadObserver* const observer = ReadObserver::current();
  std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir(path.c_str()), closedir);
  if (directory == nullptr) {
    const int error = errno;
    if (observer != nullptr) observer->folder(path, Listing::kAll, {});
    fail(error, path);
  }
  // The names are told of together.
  ObservedReads nobody(nullptr);
  std::vector<DirectoryEntry> entries;
  errno = 0;
  while (const dirent* entry = readdir(directory.get())) {
    std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    bool is_known = entry->d_type == DT_DIR || entry->d_type == DT_REG;
    bool is_folder = is_known ? entry->d_type == DT_DIR : is_directory(join_path(path, name));
    entries.push_back({std::move(name), is_folder});
    errno = 0;
  }
  if (errno != 0) fail(errno, path);
  std::sort(entries.begin(), entries.end(),
            [](const DirectoryEntry& a, const DirectoryEntry& b) { return a.name < b.name; });
  if (observer != nullptr) observer->folder(path, Listing::kAll, entries_digest(entries));
  return entries;
}

std::string entries_digest(const std::vector<DirectoryEntry>& entries) {
  std::vector<std::string> names;
  for (const DirectoryEntry& entry : entries) {
    names.push_back(entry.is_directory ? entry.name + "/" : entry.name);
  }
  return names_digest(names);
}

void write_file(const std::string& path, std::string_view contents, uint32_t mode) {
  std::string temporary = path + ".XXXXXX";
  Descriptor descriptor(mkostemp(temporary.data(), O_CLOEXEC));
  if (descriptor.number() < 0) fail(errno, path);
  auto give_up = [&] {
    int error = errno;
    unlink(temporary.c_str());
    fail(error, path);
  };
  for (size_t written = 0; written < contents.size();) {
    ssize_t count =
        write(descriptor.number(), contents.data() + written, contents.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) give_up();
    written += static_cast<size_t>(count);
  }
  if (fchmod(descriptor.number(), mode) != 0) give_up();
  if (rename(temporary.c_str(), path.c_str()) != 0) give_up();
}

void make_folder(const std::string& path) {
  for (size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    if (mkdir(part.c_str(), 0777) != 0 && errno != EEXIST) fail(errno, part);
    if (end == std::string::npos) break;
  }
  if (!is_directory(path)) fail(ENOTDIR, path);
}

std::string join_path(std::string_view folder, std::string_view name) {
  if (folder.empty() || (!name.empty() && name[0] == '/')) return std::string(name);
  std::string path(folder);
  if (path.back() != '/') path += '/';
  path += name;
  return path;
}

std::string absolute_path(std::string_view path) {
  std::string whole(path);
  if (path.empty() || path[0] != '/') {
    std::unique_ptr<char, void (*)(void*)> current(get_current_dir_name(), std::free);
    whole = join_path(current != nullptr ? current.get() : "/", path);
  }
  std::vector<std::string_view> parts;
  std::string_view rest = whole;
  while (!rest.empty()) {
    size_t slash = rest.find('/');
    std::string_view part = rest.substr(0, slash);
    rest.remove_prefix(slash == std::string_view::npos ? rest.size() : slash + 1);
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      if (!parts.empty()) parts.pop_back();
      continue;
    }
    parts.push_back(part);
  }
  std::string result;
  for (std::string_view part : parts) {
    result += '/';
    result += part;
  }
  return result.empty() ? "/" : result;
}

std::string_view folder_of(std::string_view path) {
  size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string_view file_name_of(std::string_view path) {
  size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace bunraku
