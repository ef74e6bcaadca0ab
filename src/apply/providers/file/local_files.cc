// Lists directories and reads metadata of files, for sources and recursion.
#include "apply/providers/file/local_files.h"

#include <fmt/format.h>
#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <deque>
#include <filesystem>

#include "apply/providers/file/checksum.h"
#include "apply/providers/file/file_provider.h"
#include "apply/transaction/failure.h"
#include "base/system/file_system.h"

namespace bunraku::apply {
namespace {

constexpr int64_t kSoftLimit = 1000;

bool is_ignored(const std::vector<std::string>& patterns, const std::string& name) {
  return std::ranges::any_of(patterns, [&](const std::string& pattern) {
    return fnmatch(pattern.c_str(), name.c_str(), FNM_PERIOD | FNM_PATHNAME) == 0;
  });
}

std::string decoded(std::string_view text) {
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
  };
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_escape =
        text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0;
    if (is_escape) {
      result += static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2]));
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

void check_limit(int64_t count, const std::string& path, const SourceQuery& query) {
  if (query.max_files <= 0 || count <= query.max_files) return;
  throw Failure(
      fmt::format("The directory '{}' contains {} entries, which exceeds the limit of {} specified "
                  "by the max_files parameter for this resource. The limit may be increased, but "
                  "be aware that large number of file resources can result in excessive resource "
                  "consumption and degraded performance. Consider using an alternate method to "
                  "manage large directory trees",
                  path, count, query.max_files));
}

void warn_of(int64_t count, const std::string& path, RunLog& log) {
  log.log(
      LogLevel::kWarning,
      fmt::format("The directory '{}' contains {} entries, which exceeds the default soft limit "
                  "{} and may cause excessive resource consumption and degraded performance. "
                  "To remove this warning set a value for `max_files` parameter or consider "
                  "using an alternate method to manage large directory trees",
                  path, count, kSoftLimit));
}

}  // namespace

std::optional<std::string> local_path_of(const std::string& source) {
  if (source.starts_with('/')) return source;
  if (!source.starts_with("file:")) return std::nullopt;
  std::string_view rest = std::string_view(source).substr(5);
  if (rest.starts_with("//")) {
    rest.remove_prefix(2);
    rest.remove_prefix(std::min(rest.find('/'), rest.size()));
  }
  return decoded(rest);
}

std::optional<SourceMetadata> local_metadata(const std::string& path, const SourceQuery& query) {
  struct stat info = {};
  const int failed = query.follows_links ? stat(path.c_str(), &info) : lstat(path.c_str(), &info);
  if (failed != 0) return std::nullopt;
  SourceMetadata metadata;
  metadata.source = path;
  metadata.full_path = path;
  metadata.type = file_type_name(info.st_mode);
  metadata.checksum_type = query.checksum_type;
  metadata.owner = info.st_uid;
  metadata.group = info.st_gid;
  metadata.mode = info.st_mode & 07777;
  if (metadata.type == "link") {
    char buffer[PATH_MAX];
    const ssize_t size = readlink(path.c_str(), buffer, sizeof buffer);
    if (size > 0) metadata.destination.assign(buffer, static_cast<size_t>(size));
  } else if (metadata.type == "file") {
    metadata.checksum = checksum_of_file(query.checksum_type, path);
  } else if (metadata.type == "directory") {
    metadata.checksum_type = "ctime";
  }
  return metadata;
}

std::vector<SourceMetadata> local_tree(const std::string& path, const SourceQuery& query,
                                       RunLog& log) {
  struct Waiting {
    std::string relative;
    int64_t depth;
  };
  std::vector<SourceMetadata> all;
  const auto look_at = [&](const std::string& relative) {
    const std::string full = relative == "." ? path : join_path(path, relative);
    std::optional<SourceMetadata> metadata = local_metadata(full, query);
    if (!metadata) return false;
    metadata->relative_path = relative;
    all.push_back(std::move(*metadata));
    return true;
  };
  if (!look_at(".") || all.front().type != "directory") return all;
  std::deque<Waiting> waiting = {{".", 0}};
  int64_t count = 0;
  while (!waiting.empty()) {
    const Waiting current = std::move(waiting.front());
    waiting.pop_front();
    if (query.recursion_limit && current.depth >= *query.recursion_limit) continue;
    const std::string directory =
        current.relative == "." ? path : join_path(path, current.relative);
    std::vector<DirectoryEntry> entries;
    try {
      entries = list_directory(directory);
    } catch (const FileError& error) {
      throw Failure::of_system(error.what());
    }
    for (const DirectoryEntry& entry : entries) {
      if (is_ignored(query.ignored, entry.name)) continue;
      const std::string relative =
          current.relative == "." ? entry.name : join_path(current.relative, entry.name);
      // Files beyond the limit are only counted.
      if (++count > query.max_files && query.max_files > 0) {
        if (entry.is_directory && !std::filesystem::is_symlink(join_path(path, relative))) {
          waiting.push_back({relative, current.depth + 1});
        }
        continue;
      }
      if (!look_at(relative)) {
        // A link that leads nowhere fails the tree; a file that has just been removed does not.
        if (!query.follows_links) continue;
        throw Failure::of_system(
            system_error_text(errno, "rb_file_s_stat", join_path(path, relative)));
      }
      if (all.back().type == "directory") waiting.push_back({relative, current.depth + 1});
    }
  }
  check_limit(count, path, query);
  if (query.max_files == 0 && count > kSoftLimit) warn_of(count, path, log);
  return all;
}

}  // namespace bunraku::apply
