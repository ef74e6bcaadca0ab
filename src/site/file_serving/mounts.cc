#include "site/file_serving/mounts.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>

#include "base/diagnostics/log.h"
#include "base/system/file_reader.h"
#include "site/environment/environment.h"
#include "site/environment/files.h"
#include "site/file_serving/failure.h"
#include "site/file_serving/mounts_file.h"

namespace bunraku {
namespace {

void report(LogSink* log, LogLevel level, std::string message) {
  if (log == nullptr) return;
  LogRecord record;
  record.level = level;
  record.message = std::move(message);
  log->log(record);
}

bool is_mount_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
  });
}

bool leads_up(std::string_view path) {
  while (!path.empty()) {
    const size_t end = path.find('/');
    if (path.substr(0, end) == "..") return true;
    path.remove_prefix(end == std::string_view::npos ? path.size() : end + 1);
  }
  return false;
}

// Replaces %h, %H and %d by this machine's host name, its full name and its domain, if it has one.
std::string with_host(std::string_view directory) {
  char buffer[256] = {};
  const std::string full = ::gethostname(buffer, sizeof buffer - 1) == 0 ? buffer : "localhost";
  const size_t dot = full.find('.');
  const std::string domain = dot == std::string::npos ? "%d" : full.substr(dot + 1);
  std::string result;
  for (size_t i = 0; i < directory.size(); ++i) {
    const std::string_view pattern = directory.substr(i, 2);
    if (pattern == "%h") {
      result += full.substr(0, dot);
    } else if (pattern == "%H") {
      result += full;
    } else if (pattern == "%d") {
      result += domain;
    } else if (pattern == "%%") {
      result += '%';
    } else {
      result += directory[i];
      continue;
    }
    ++i;
  }
  return result;
}

}  // namespace

Mounts::Mounts(const Environment& environment, const std::string& config_path, LogSink* log)
    : environment_(environment), log_(log) {
  try {
    read(config_path);
  } catch (const std::exception& error) {
    mounts_.clear();
    report(log_, LogLevel::kErr,
           fmt::format("Error parsing fileserver configuration: {}; using old configuration",
                       error.what()));
  }
  mounts_.insert_or_assign("modules", Mount{Kind::kOfModule, "files"});
  mounts_.insert_or_assign("scripts", Mount{Kind::kOfModule, "scripts"});
  mounts_.insert_or_assign("tasks", Mount{Kind::kOfModule, "tasks"});
  mounts_.insert_or_assign("plugins", Mount{Kind::kOfModules, "lib"});
  mounts_.insert_or_assign("locales", Mount{Kind::kOfModules, "locales"});
  mounts_.emplace("pluginfacts", Mount{Kind::kOfModules, "facts.d"});
}

void Mounts::read(const std::string& config_path) {
  if (config_path.empty()) return;
  const std::optional<std::string> text = read_file_if_exists(config_path);
  if (!text) return;
  for (MountEntry& entry : parse_mounts_file(*text, config_path, log_)) {
    mounts_.emplace(std::move(entry.name), Mount{Kind::kDirectory, std::move(entry.directory)});
  }
}

std::optional<std::string> Mounts::find(std::string_view key) const {
  const size_t slash = key.find('/');
  const std::string_view name = key.substr(0, slash);
  if (!is_mount_name(name)) {
    fail_to_serve(fmt::format("Cannot find file: Invalid mount '{}'", name));
  }
  RelativePath path;
  if (slash != std::string_view::npos) {
    path = key.substr(slash + 1);
    if (leads_up(*path)) {
      fail_to_serve(fmt::format("Cannot find file: Invalid relative path '{}'", *path));
    }
    const auto is_doubled = [](char a, char b) { return a == '/' && b == '/'; };
    path->erase(std::unique(path->begin(), path->end(), is_doubled), path->end());
    if (path->empty()) path.reset();
  }
  const auto mount = mounts_.find(name);
  if (mount == mounts_.end()) return {};
  switch (mount->second.kind) {
    case Kind::kOfModule:
      return find_in_module(mount->second, path);
    case Kind::kOfModules:
      return find_in_modules(mount->second, path);
    case Kind::kDirectory:
      break;
  }
  return find_in_directory(mount->second, path);
}

Mounts::RelativePath Mounts::find_in_module(const Mount& mount, const RelativePath& path) const {
  if (!path) {
    fail_to_serve(mount.directory == "tasks" ? "No task specified" : "No module specified");
  }
  const size_t slash = path->find('/');
  const Module* module = environment_.find_module(std::string_view(*path).substr(0, slash));
  if (module == nullptr) return {};
  std::string found = join_path(module->path, mount.directory);
  if (slash != std::string::npos) found += path->substr(slash);
  if (!exists(found)) return {};
  return found;
}

Mounts::RelativePath Mounts::find_in_modules(const Mount& mount, const RelativePath& path) const {
  for (const Module& module : environment_.modules()) {
    std::string found = join_path(module.path, mount.directory);
    if (path) found += '/' + *path;
    if (exists(found)) return found;
  }
  return {};
}

Mounts::RelativePath Mounts::find_in_directory(const Mount& mount, const RelativePath& path) const {
  std::string found = mount.directory;
  if (has_pattern(found)) {
    report(log_, LogLevel::kNotice,
           fmt::format("No client; expanding '{}' with local host", mount.directory));
    found = with_host(found);
  }
  if (!path) return found;
  found += '/' + *path;
  if (!exists(found) && !is_link(found)) return {};
  return found;
}

}  // namespace bunraku
