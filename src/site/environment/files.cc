#include "site/environment/files.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/diagnostics/diagnostic.h"
#include "base/system/file_reader.h"
#include "base/system/reads.h"

namespace bunraku {
namespace {

[[noreturn]] void fail_unreadable(const FileError& error) {
  throw EvaluationError(
      make_diagnostic(Issue::kUnreadableFile, Range{}, {error.reason(), error.path()}),
      ErrorKind::kError);
}

}  // namespace

std::string read_environment_file(const std::string& path) {
  try {
    return read_file(path);
  } catch (const FileError& error) {
    fail_unreadable(error);
  }
}

FileVersion read_environment_file_version(const std::string& path) {
  try {
    return read_file_version(path);
  } catch (const FileError& error) {
    fail_unreadable(error);
  }
}

std::shared_ptr<const FileText> read_shared_file(const std::string& path) {
  try {
    return TextCache::shared().read(path);
  } catch (const FileError& error) {
    fail_unreadable(error);
  }
}

std::optional<std::string> read_file_if_exists(const std::string& path) {
  // Observers of reads are notified of the test for existence first. Without one, reading directly
  // saves that test, since most files exist.
  if (ReadObserver::current() != nullptr) {
    if (!exists(path)) return std::nullopt;
    return read_environment_file(path);
  }
  try {
    return read_file_version(path).contents;
  } catch (const FileError&) {
    if (!exists(path)) return std::nullopt;
    return read_environment_file(path);
  }
}

std::vector<std::string> list_directories(const std::string& path) {
  std::vector<std::string> names;
  try {
    for (DirectoryEntry& entry : list_directory(path)) {
      if (entry.is_directory) names.push_back(std::move(entry.name));
    }
  } catch (const FileError&) {
    return {};
  }
  return names;
}

std::vector<std::string> list_files_below(const std::string& path, Links links) {
  std::vector<std::string> found;
  walk_directories({&path, 1}, links,
                   [&](const std::string& directory, const std::vector<DirectoryEntry>& entries) {
                     std::string_view relative = std::string_view(directory).substr(path.size());
                     if (relative.starts_with('/')) relative.remove_prefix(1);
                     for (const DirectoryEntry& entry : entries) {
                       if (!entry.is_directory) found.push_back(join_path(relative, entry.name));
                     }
                   });
  std::ranges::sort(found);
  return found;
}

std::string expand_path(std::string_view path, std::string_view base) {
  if (path == "~" || path.starts_with("~/")) {
    const char* home = std::getenv("HOME");
    return absolute_path(std::string(home != nullptr ? home : "/").append(path.substr(1)));
  }
  return absolute_path(join_path(base, path));
}

std::string target_of_link(const std::string& path) {
  return is_link(path) ? absolute_path(link_target(path)) : path;
}

std::string join_pathname(std::string_view base, std::string_view path) {
  if (path.starts_with('/')) return std::string(path);
  while (!path.empty()) {
    const std::string_view part = path.substr(0, path.find('/'));
    if (part == "..") {
      while (base.size() > 1 && base.ends_with('/')) base.remove_suffix(1);
      const size_t slash = base.rfind('/');
      if (slash != base.npos) base = base.substr(0, std::max<size_t>(slash, 1));
    } else if (part != ".") {
      return join_path(base, path);
    }
    path.remove_prefix(std::min(path.find_first_not_of('/', part.size()), path.size()));
  }
  return std::string(base);
}

std::vector<std::string> split_path_list(std::string_view list) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    const size_t end = std::min(list.find(':'), list.size());
    if (end > 0) parts.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return parts;
}

}  // namespace bunraku
