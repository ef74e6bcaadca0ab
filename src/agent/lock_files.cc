// Lock files with a process identifier, or with JSON.
#include "agent/lock_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "base/system/descriptor.h"
#include "base/system/file_system.h"

namespace bunraku::agent {
namespace {

constexpr mode_t kLockMode = 0644;
// The reference respects a lock if its process has such a name, or is a ruby with "puppet" among
// its arguments.
constexpr const char* kProcessName = "puppet-bunraku";

std::optional<pid_t> read_pid(const std::string& path) {
  try {
    const std::string text = read_file(path);
    size_t used = 0;
    const long number = std::stol(text, &used);
    if (number <= 0) return std::nullopt;
    return static_cast<pid_t>(number);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

std::string read_proc(pid_t pid, const char* name) {
  try {
    std::string text = read_file(fmt::format("/proc/{}/{}", pid, name));
    for (char& c : text) {
      if (c == '\0') c = ' ';
    }
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    return text;
  } catch (const FileError&) {
    return {};
  }
}

// The name of a process's executable; empty when it cannot be read.
std::string program_of(pid_t pid) {
  char target[4096];
  const ssize_t size = readlink(fmt::format("/proc/{}/exe", pid).c_str(), target, sizeof target);
  if (size <= 0) return {};
  return std::string(file_name_of(std::string_view(target, static_cast<size_t>(size))));
}

// Returns whether the file's process is an agent of this program or of the reference.
bool is_alive(pid_t pid) {
  if (kill(pid, 0) != 0 && errno == ESRCH) return false;
  const std::string name = read_proc(pid, "comm");
  if (name.find("puppet") != std::string::npos || name.find("bunraku") != std::string::npos) {
    return true;
  }
  if (std::string_view(program_of(pid)).starts_with("bunraku")) return true;
  return name.find("ruby") != std::string::npos &&
         read_proc(pid, "cmdline").find("puppet") != std::string::npos;
}

// Sets the name of the process, from any of its threads.
void name_process() {
  const Descriptor comm(open("/proc/self/comm", O_WRONLY | O_CLOEXEC));
  // Without the name, only this program respects the lock.
  [[maybe_unused]] const ssize_t count =
      write(comm.number(), kProcessName, std::strlen(kProcessName));
}

void create_exclusively(const std::string& path, std::string_view contents, bool& exists_already) {
  const Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kLockMode));
  exists_already = !file.is_open() && errno == EEXIST;
  if (!file.is_open()) {
    if (exists_already) return;
    throw FileError(FileErrorKind::kOther, path, std::strerror(errno));
  }
  if (write(file.number(), contents.data(), contents.size()) ==
      static_cast<ssize_t>(contents.size())) {
    return;
  }
  const int error = errno;
  unlink(path.c_str());
  throw FileError(FileErrorKind::kOther, path, std::strerror(error));
}

}  // namespace

bool PidLock::is_held() const {
  const std::optional<pid_t> pid = read_pid(path_);
  return pid && (*pid == getpid() || is_alive(*pid));
}

bool PidLock::take() {
  const std::string own = std::to_string(getpid());
  for (int attempt = 0; attempt < 2; ++attempt) {
    bool exists_already = false;
    create_exclusively(path_, own, exists_already);
    if (!exists_already) {
      owner_ = getpid();
      name_process();
      return true;
    }
    const std::optional<pid_t> pid = read_pid(path_);
    if (pid == getpid()) {
      owner_ = getpid();
      return true;
    }
    if (pid && is_alive(*pid)) return false;
    unlink(path_.c_str());
  }
  return false;
}

void PidLock::release() {
  if (owner_ != getpid()) return;
  owner_ = 0;
  if (read_pid(path_) == getpid()) unlink(path_.c_str());
}

void remove_lock_of(const std::string& path, pid_t owner) {
  if (read_pid(path) == owner) unlink(path.c_str());
}

bool DisabledLock::is_set() const {
  return exists(path_);
}

std::string DisabledLock::message() const {
  try {
    Arena arena;
    const std::string text = read_file(path_);
    const DataNode node = read_json(text, arena);
    const DataNode* message = node.find("disabled_message");
    if (message == nullptr || !message->is(DataKind::kString)) return {};
    return std::string(message->text_value());
  } catch (const std::exception&) {
    return {};
  }
}

void DisabledLock::set(const std::string& message) const {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.member("disabled_message", std::string_view(message));
  json.end_object();
  bool exists_already = false;
  create_exclusively(path_, text, exists_already);
}

void DisabledLock::clear() const {
  if (unlink(path_.c_str()) != 0 && errno != ENOENT) {
    throw FileError(FileErrorKind::kOther, path_, std::strerror(errno));
  }
}

}  // namespace bunraku::agent
