// Generations of the environments' code.
#include "server/code.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/system/file_system.h"
#include "base/text/digest.h"

namespace bunraku::server {
namespace {

constexpr std::chrono::milliseconds kLookInterval{500};
constexpr int kDeepest = 40;

void append(std::string& to, uint64_t number) {
  to.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void append_status(std::string& to, const struct stat& status) {
  append(to, status.st_ino);
  append(to, static_cast<uint64_t>(status.st_size));
  append(to, static_cast<uint64_t>(status.st_mtim.tv_sec) * 1'000'000'000 +
                 static_cast<uint64_t>(status.st_mtim.tv_nsec));
  append(to, static_cast<uint64_t>(status.st_ctim.tv_sec) * 1'000'000'000 +
                 static_cast<uint64_t>(status.st_ctim.tv_nsec));
}

// What tells the state of a tree of files: all stamps, in the order of the directory. Directories
// that begin with a dot hold no code.
void append_tree(std::string& to, int parent, const char* name, int depth) {
  if (depth > kDeepest) return;
  const int descriptor = ::openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  DIR* directory = ::fdopendir(descriptor);
  if (directory == nullptr) {
    ::close(descriptor);
    return;
  }
  while (const dirent* entry = ::readdir(directory)) {
    if (entry->d_name[0] == '.' && (entry->d_type == DT_DIR || entry->d_name[1] == '\0')) continue;
    struct stat status {};
    if (::fstatat(descriptor, entry->d_name, &status, 0) != 0) continue;
    append_status(to, status);
    if (S_ISDIR(status.st_mode) && std::string_view(entry->d_name) != "..") {
      append_tree(to, descriptor, entry->d_name, depth + 1);
    }
  }
  ::closedir(directory);
}

}  // namespace

Code::Code(Settings settings) : settings_(std::move(settings)) {}

std::vector<std::string> Code::watched_directories() const {
  std::vector<std::string> directories = settings_.list("environmentpath");
  for (const std::string& directory : settings_.list("basemodulepath")) {
    directories.push_back(directory);
  }
  return directories;
}

std::string Code::fingerprint() const {
  std::string text;
  for (const std::string& directory : watched_directories()) {
    append_tree(text, AT_FDCWD, directory.c_str(), 0);
  }
  const FileStamp stamp = file_stamp(settings_.text("hiera_config"));
  append(text, stamp.size);
  append(text, static_cast<uint64_t>(stamp.modified));
  return content_id(text);
}

void Code::replace_locked() {
  service_ = std::make_shared<compilation::Service>(settings_, compilation::Inputs{},
                                                    compilation::Sources{});
  ++generation_;
}

std::shared_ptr<compilation::Service> Code::current() {
  {
    const std::scoped_lock lock(mutex_);
    const bool is_fixed = settings_.text("environment_timeout") == "unlimited";
    const bool is_fresh = std::chrono::steady_clock::now() - looked_ < kLookInterval;
    if (service_ != nullptr && (is_fixed || is_fresh)) return service_;
  }
  // One thread looks; others go on with what there is.
  std::unique_lock look(look_mutex_, std::try_to_lock);
  if (!look.owns_lock()) {
    {
      const std::scoped_lock lock(mutex_);
      if (service_ != nullptr) return service_;
    }
    look.lock();
  }
  // Taken before anything is read, so that a change in between is seen the next time.
  std::string now = fingerprint();
  const std::scoped_lock lock(mutex_);
  if (service_ == nullptr || now != fingerprint_) replace_locked();
  fingerprint_ = std::move(now);
  looked_ = std::chrono::steady_clock::now();
  return service_;
}

void Code::set_settings(Settings settings) {
  const std::scoped_lock look(look_mutex_);
  const std::scoped_lock lock(mutex_);
  settings_ = std::move(settings);
  service_ = nullptr;
}

void Code::flush() {
  const std::scoped_lock lock(mutex_);
  service_ = nullptr;
}

bool Code::has_environment(const std::string& name) const {
  for (const auto& [known, directory] : environments()) {
    if (known == name) return true;
  }
  return false;
}

std::vector<std::pair<std::string, std::string>> Code::environments() const {
  std::vector<std::string> path;
  {
    const std::scoped_lock lock(mutex_);
    path = settings_.list("environmentpath");
  }
  std::vector<std::pair<std::string, std::string>> found;
  for (const std::string& directory : path) {
    if (!is_directory(directory)) continue;
    for (const DirectoryEntry& entry : list_directory(directory)) {
      const bool is_name = std::ranges::all_of(entry.name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_';
      });
      const bool is_known =
          std::ranges::any_of(found, [&](const auto& other) { return other.first == entry.name; });
      if (entry.is_directory && is_name && !is_known) {
        found.emplace_back(entry.name, join_path(directory, entry.name));
      }
    }
  }
  return found;
}

uint64_t Code::generation() const {
  const std::scoped_lock lock(mutex_);
  return generation_;
}

}  // namespace bunraku::server
