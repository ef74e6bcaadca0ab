// Storing and finding earlier contents.
#include "apply/providers/file/bucket.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <tuple>

#include "apply/providers/file/checksum.h"
#include "apply/transaction/failure.h"
#include "base/system/file_system.h"
#include "base/system/file_writer.h"

namespace bunraku::apply {
namespace {

constexpr mode_t kDirectoryMode = 0770;
constexpr mode_t kMask = 007;
constexpr uint32_t kContentsMode = 0440;
constexpr uint32_t kPathsMode = 0640;

void make_directories(const std::string& path) {
  if (is_directory(path)) return;
  const std::string parent(parent_directory(path));
  if (parent != path) make_directories(parent);
  const mode_t old_mask = umask(kMask);
  const bool is_made = mkdir(path.c_str(), kDirectoryMode) == 0 || errno == EEXIST;
  const int error = errno;
  umask(old_mask);
  if (!is_made) {
    throw Failure::of_system(system_error_text(error, "dir_s_mkdir", path));
  }
}

// As in Ruby, parents are checked from the end, so that the error names the obstructing file
// itself.
void make_path(const std::string& directory) {
  for (std::string_view part = directory; part.size() > 1; part = parent_directory(part)) {
    struct stat info = {};
    if (stat(std::string(part).c_str(), &info) != 0) continue;
    if (!S_ISDIR(info.st_mode)) {
      throw Failure::of_system(system_error_text(EEXIST, "dir_s_mkdir", std::string(part)));
    }
    break;
  }
  make_directories(directory);
}

}  // namespace

std::string Bucket::directory_of(std::string_view sum) const {
  std::string path = directory_;
  for (size_t i = 0; i < 8 && i < sum.size(); ++i) path += fmt::format("/{}", sum[i]);
  return fmt::format("{}/{}", path, sum);
}

std::string Bucket::backup(const std::string& path) const {
  try {
    const std::string contents = read_file(path);
    const std::string sum(checksum_data_of(checksum_of_text(algorithm_, contents)));
    const std::string directory = directory_of(sum);
    make_path(directory);
    remove_abandoned_files(directory);
    const std::string contents_path = directory + "/contents";
    if (!exists(contents_path)) write_file(contents_path, contents, kContentsMode);
    const std::string paths_path = directory + "/paths";
    std::string paths = exists(paths_path) ? read_file(paths_path) : std::string();
    if (("\n" + paths).find("\n" + path + "\n") == std::string::npos) {
      paths += path + "\n";
      write_file(paths_path, paths, kPathsMode);
    }
    return sum;
  } catch (const FileError& error) {
    throw Failure::of_system(error.what());
  }
}

std::optional<std::string> Bucket::contents(std::string_view sum) const {
  const bool is_sum = !sum.empty() && std::ranges::all_of(sum, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  });
  if (!is_sum) return std::nullopt;
  const std::string path = directory_of(sum) + "/contents";
  if (!exists(path)) return std::nullopt;
  try {
    return read_file(path);
  } catch (const FileError& error) {
    throw Failure::of_system(error.what());
  }
}

std::vector<Bucket::Entry> Bucket::list() const {
  std::vector<Entry> entries;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator place(directory_, error), end;
       !error && place != end; place.increment(error)) {
    if (place->path().filename() != "paths") continue;
    const std::string path = place->path().string();
    struct stat info = {};
    if (stat(path.c_str(), &info) != 0) continue;
    std::string paths;
    try {
      paths = read_file(path);
    } catch (const FileError&) {
      continue;
    }
    const std::string sum = place->path().parent_path().filename().string();
    std::string_view rest = paths;
    while (!rest.empty()) {
      const size_t newline = std::min(rest.find('\n'), rest.size());
      if (newline > 0) {
        entries.push_back({sum, info.st_mtime, std::string(rest.substr(0, newline))});
      }
      rest.remove_prefix(std::min(newline + 1, rest.size()));
    }
  }
  std::ranges::sort(entries, {},
                    [](const Entry& entry) { return std::tie(entry.path, entry.time, entry.sum); });
  return entries;
}

}  // namespace bunraku::apply
