// Access to the disk, or to an overlay of it.
#include "base/system/file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <optional>
#include <utility>

#include "base/system/file_overlay.h"
#include "base/system/file_reader.h"
#include "base/system/file_writer.h"
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
  throw file_error(error, path);
}

// Returns whether it is the system's "null" device, which is often used as an empty file.
bool is_null_device(const struct stat& status) {
  return S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3);
}

[[noreturn]] void refuse_kind(const std::string& path) {
  throw FileError(FileErrorKind::kOther, path, "Not a regular file");
}

void require_regular(const struct stat& status, const std::string& path) {
  if (S_ISDIR(status.st_mode)) fail(EISDIR, path);
  if (!S_ISREG(status.st_mode) && !is_null_device(status)) refuse_kind(path);
}

[[noreturn]] void refuse_size(const std::string& path, uint64_t largest) {
  throw FileError(FileErrorKind::kTooLarge, path, fmt::format("larger than {} MB", largest >> 20));
}

// Reads to the end with `read_some`, which takes a span. `expected` is the size, or a guess.
template <typename ReadSome>
std::string read_to_end(ReadSome read_some, const std::string& path, uint64_t expected,
                        uint64_t largest) {
  if (expected > largest) refuse_size(path, largest);
  // Most files are small and have the expected size.
  std::array<char, 8192> first;
  size_t used = read_some(std::span(first));
  if (used > largest) refuse_size(path, largest);
  const auto is_end = [&](size_t space) { return used == expected && used < space; };
  if (used == 0 || is_end(first.size())) return {first.data(), used};
  // One byte more, so that the end of a regular file is found without growing; another byte of the
  // block is the string's end.
  std::string contents(std::max<uint64_t>(expected + 1, 2 * first.size() - 1), '\0');
  std::copy_n(first.data(), used, contents.data());
  for (;;) {
    if (used == contents.size()) contents.resize(contents.size() * 2);
    const size_t count = read_some(std::span(contents).subspan(used));
    used += count;
    if (used > largest) refuse_size(path, largest);
    if (count == 0 || is_end(contents.size())) break;
  }
  contents.resize(used);
  return contents;
}

size_t read_some(int descriptor, std::span<char> buffer, const std::string& path) {
  for (;;) {
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count >= 0) return static_cast<size_t>(count);
    if (errno != EINTR) fail(errno, path);
  }
}

std::string read_standard_input(uint64_t largest) {
  const std::string name = "standard input";
  struct stat status;
  if (fstat(STDIN_FILENO, &status) != 0) fail(errno, name);
  if (S_ISDIR(status.st_mode)) fail(EISDIR, name);
  return read_to_end([&](std::span<char> rest) { return read_some(STDIN_FILENO, rest, name); },
                     name, S_ISREG(status.st_mode) ? static_cast<uint64_t>(status.st_size) : 0,
                     largest);
}

bool report_test(const std::string& path, PathTest test, bool answer) {
  if (ReadObserver* observer = ReadObserver::current()) observer->path(path, test, answer);
  return answer;
}

bool has_type(const std::string& path, mode_t type) {
  struct stat status;
  return file_status(path, true, status) == 0 && (status.st_mode & S_IFMT) == type;
}

FileStamp stamp_of(const struct stat& status) {
  const auto nanoseconds = [](const timespec& time) {
    return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  };
  return {static_cast<uint64_t>(status.st_size), status.st_ino, nanoseconds(status.st_mtim),
          nanoseconds(status.st_ctim)};
}

// The status of a path in the overlay; nothing when the disk must be asked.
std::optional<struct stat> overlaid_status(const std::string& path) {
  const FileOverlay* overlay = FileOverlay::current();
  if (overlay == nullptr) return std::nullopt;
  const std::string absolute = absolute_path(path);
  struct stat status{};
  status.st_uid = geteuid();
  status.st_gid = getegid();
  if (const auto file = overlay->find(absolute)) {
    status.st_mode = S_IFREG | 0644;
    status.st_nlink = 1;
    status.st_size = static_cast<off_t>(file->contents->size());
    // Different versions have different times.
    status.st_mtim.tv_nsec = status.st_ctim.tv_nsec = file->version % 1'000'000'000;
    status.st_mtim.tv_sec = status.st_ctim.tv_sec = file->version / 1'000'000'000;
    return status;
  }
  if (!overlay->has_directory(absolute)) return std::nullopt;
  if (stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) return status;
  status.st_mode = S_IFDIR | 0755;
  status.st_ino = static_cast<ino_t>(std::hash<std::string>()(absolute));
  return status;
}

}  // namespace

FileError::FileError(FileErrorKind kind, std::string path, std::string reason) : kind_(kind) {
  std::string message = fmt::format("{} - {}", reason, path);
  shared_ = std::make_shared<const Shared>(
      Shared{std::move(path), std::move(reason), std::move(message)});
}

FileError file_error(int error, std::string path) {
  return {kind_of(error), std::move(path), std::strerror(error)};
}

FileReader::FileReader(const std::string& path, bool is_no_device) : path_(path) {
  if (const FileOverlay* overlay = FileOverlay::current()) {
    if (auto file = overlay->find(absolute_path(path))) {
      overlay_ = std::move(file->contents);
      stamp_ = file_stamp(path);
      return;
    }
  }
  struct stat status;
  // Opening a device may have side effects.
  if (!is_no_device) {
    if (stat(path.c_str(), &status) != 0) fail(errno, path);
    require_regular(status, path);
  }
  descriptor_ = Descriptor(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!descriptor_.is_open() && errno == ENXIO) refuse_kind(path);  // a socket
  if (!descriptor_.is_open()) fail(errno, path);
  if (fstat(descriptor_.number(), &status) != 0) fail(errno, path);
  require_regular(status, path);
  if (S_ISREG(status.st_mode)) stamp_ = stamp_of(status);
  const bool is_ours = status.st_uid == 0 || status.st_uid == geteuid();
  is_private_ = is_ours && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

size_t FileReader::read(std::span<char> buffer) {
  if (overlay_ == nullptr) return read_some(descriptor_.number(), buffer, path_);
  const size_t count = overlay_->copy(buffer.data(), buffer.size(), used_);
  used_ += count;
  return count;
}

std::string FileReader::read_all(uint64_t largest) {
  // A file may grow, and those of the kernel report size 0; the bound prevents endless reads.
  constexpr uint64_t kMostGrowth = uint64_t{16} << 20;
  if (size() > largest) refuse_size(path_, largest);
  const uint64_t bound = std::min(largest, size() * 2 + kMostGrowth);
  return read_to_end([this](std::span<char> rest) { return read(rest); }, path_, size(), bound);
}

namespace {

// Reads a regular file, and reports the read.
FileVersion read_regular_file(const std::string& path, bool is_no_device, uint64_t largest) {
  ReadObserver* const observer = ReadObserver::current();
  std::optional<FileReader> reader;
  try {
    reader.emplace(path, is_no_device);
  } catch (const FileError&) {
    if (observer != nullptr) observer->file(path, {});
    throw;
  }
  std::string contents = reader->read_all(largest);
  if (observer != nullptr) observer->file(path, read_digest(contents));
  return {std::move(contents), reader->stamp()};
}

}  // namespace

std::string read_file(const std::string& path, uint64_t largest) {
  if (path != "-") return read_regular_file(path, false, largest).contents;
  report_untracked("standard input was read");
  return read_standard_input(largest);
}

FileVersion read_file_version(const std::string& path) {
  return read_regular_file(path, true, kLargestFile);
}

bool is_file(const std::string& path) {
  return report_test(path, PathTest::kIsFile, has_type(path, S_IFREG));
}
bool is_directory(const std::string& path) {
  return report_test(path, PathTest::kIsDirectory, has_type(path, S_IFDIR));
}

bool exists(const std::string& path) {
  struct stat status;
  return report_test(path, PathTest::kExists, file_status(path, true, status) == 0);
}

int file_status(const std::string& path, bool follows_links, struct stat& status) {
  if (const auto overlaid = overlaid_status(path)) {
    status = *overlaid;
    return 0;
  }
  const int result = follows_links ? stat(path.c_str(), &status) : lstat(path.c_str(), &status);
  return result == 0 ? 0 : errno;
}

bool is_link(const std::string& path) {
  struct stat status;
  return file_status(path, false, status) == 0 && S_ISLNK(status.st_mode);
}

std::string link_target(const std::string& path) {
  std::string target(4096, '\0');
  const ssize_t length = readlink(path.c_str(), target.data(), target.size());
  if (length < 0) fail(errno, path);
  target.resize(static_cast<size_t>(length));
  return target;
}

FileStamp file_stamp(const std::string& path) {
  struct stat status;
  return file_status(path, true, status) == 0 ? stamp_of(status) : FileStamp();
}

bool is_settled(const FileStamp& stamp) {
  constexpr std::chrono::seconds kSettled(2);
  const std::chrono::nanoseconds changed(std::max(stamp.modified, stamp.changed));
  return std::chrono::system_clock::now().time_since_epoch() - changed >= kSettled;
}

namespace {

void add_entry(const std::string& path, const dirent64& entry,
               std::vector<DirectoryEntry>& entries) {
  std::string name = entry.d_name;
  if (name == "." || name == "..") return;
  if (entry.d_type == DT_DIR || entry.d_type == DT_REG) {
    entries.push_back({std::move(name), entry.d_type == DT_DIR});
    return;
  }
  const std::string whole = join_path(path, name);
  const bool is_symbolic = entry.d_type == DT_UNKNOWN ? is_link(whole) : entry.d_type == DT_LNK;
  entries.push_back({std::move(name), is_directory(whole), is_symbolic});
}

// Reads the entries on disk, unsorted; returns errno. Not by readdir(), which allocates its buffer
// for each directory and asks for the directory's status.
int read_directory(const std::string& path, std::vector<DirectoryEntry>& entries) {
  const Descriptor directory(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC));
  if (!directory.is_open()) return errno;
  alignas(dirent64) std::array<char, 16384> buffer;
  for (;;) {
    const ssize_t size = getdents64(directory.number(), buffer.data(), buffer.size());
    if (size <= 0) return size == 0 ? 0 : errno;
    for (ssize_t at = 0; at < size;) {
      const auto& entry = *reinterpret_cast<const dirent64*>(buffer.data() + at);
      at += entry.d_reclen;
      add_entry(path, entry, entries);
    }
  }
}

void add_overlaid(const std::string& path, std::vector<DirectoryEntry>& entries) {
  const FileOverlay* overlay = FileOverlay::current();
  if (overlay == nullptr) return;
  for (DirectoryEntry& entry : overlay->entries(absolute_path(path))) {
    const auto same = std::ranges::find(entries, entry.name, &DirectoryEntry::name);
    if (same == entries.end()) entries.push_back(std::move(entry));
  }
}

}  // namespace

int read_entries(const std::string& path, std::vector<DirectoryEntry>& entries) {
  ReadObserver* const observer = ReadObserver::current();
  // The names are reported to observers together.
  const ObservedReads unobserved(nullptr);
  const int error = read_directory(path, entries);
  add_overlaid(path, entries);
  if (error != 0 && entries.empty()) {
    if (observer != nullptr) observer->directory(path, Listing::kAll, {});
    return error;
  }
  std::ranges::sort(entries, {}, &DirectoryEntry::name);
  if (observer != nullptr) observer->directory(path, Listing::kAll, entries_digest(entries));
  return 0;
}

std::vector<DirectoryEntry> list_directory(const std::string& path) {
  std::vector<DirectoryEntry> entries;
  if (const int error = read_entries(path, entries); error != 0) fail(error, path);
  return entries;
}

std::string entries_digest(const std::vector<DirectoryEntry>& entries) {
  std::vector<std::string> names;
  for (const DirectoryEntry& entry : entries) {
    std::string& name = names.emplace_back(entry.name);
    if (entry.is_directory) name += '/';
    if (entry.is_link) name += "/->";
  }
  return names_digest(names);
}

namespace {

void make_directories(const std::string& path, mode_t mode) {
  if (mkdir(path.c_str(), mode) == 0 || (errno == EEXIST && is_directory(path))) return;
  for (size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    if (mkdir(part.c_str(), mode) != 0 && errno != EEXIST) fail(errno, part);
    if (end == std::string::npos) break;
  }
  if (!is_directory(path)) fail(ENOTDIR, path);
}

}  // namespace

void create_directory(const std::string& path) {
  make_directories(path, 0777);
}

void create_private_directory(const std::string& path) {
  make_directories(path, 0700);
}

std::string join_path(std::string_view directory, std::string_view name) {
  if (directory.empty() || (!name.empty() && name[0] == '/')) return std::string(name);
  std::string path(directory);
  if (path.back() != '/') path += '/';
  path += name;
  return path;
}

std::string path_without_links(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> whole(realpath(path.c_str(), nullptr), std::free);
  return whole != nullptr ? whole.get() : std::string();
}

std::string absolute_path(std::string_view path) {
  std::string whole(path);
  if (path.empty() || path[0] != '/') {
    const std::unique_ptr<char, void (*)(void*)> current(get_current_dir_name(), std::free);
    whole = join_path(current != nullptr ? current.get() : "/", path);
  }
  std::vector<std::string_view> parts;
  std::string_view rest = whole;
  while (!rest.empty()) {
    const size_t slash = rest.find('/');
    const std::string_view part = rest.substr(0, slash);
    rest.remove_prefix(slash == std::string_view::npos ? rest.size() : slash + 1);
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      if (!parts.empty()) parts.pop_back();
      continue;
    }
    parts.push_back(part);
  }
  std::string result;
  for (const std::string_view part : parts) {
    result += '/';
    result += part;
  }
  return result.empty() ? "/" : result;
}

std::string_view parent_directory(std::string_view path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string_view file_name_of(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

bool is_path_below(std::string_view path, std::string_view directory) {
  return path.size() > directory.size() && path.starts_with(directory) &&
         path[directory.size()] == '/';
}

std::string path_from(std::string_view directory, std::string_view path) {
  constexpr size_t kMostStepsUp = 4;
  std::string result(path);
  if (!directory.starts_with('/') || !path.starts_with('/')) return result;
  std::string steps;
  for (size_t up = 0; up <= kMostStepsUp; ++up, steps += "../") {
    const bool is_below = is_path_below(path, directory) && path.size() > directory.size() + 1;
    if (is_below) return steps + result.substr(directory.size() + 1);
    directory = parent_directory(directory);
    if (parent_directory(directory) == "/") break;
  }
  return result;
}

}  // namespace bunraku
