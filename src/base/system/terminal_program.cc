#include "base/system/terminal_program.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

namespace bunraku {
namespace {

constexpr std::array kKeys = {SIGINT, SIGQUIT};

// Ignores the signals of the terminal's keys during its lifetime.
class KeysIgnored {
 public:
  KeysIgnored() {
    struct sigaction ignored = {};
    ignored.sa_handler = SIG_IGN;
    for (size_t i = 0; i < kKeys.size(); ++i) sigaction(kKeys[i], &ignored, &before_[i]);
  }
  ~KeysIgnored() {
    for (size_t i = 0; i < kKeys.size(); ++i) sigaction(kKeys[i], &before_[i], nullptr);
  }
  KeysIgnored(const KeysIgnored&) = delete;
  KeysIgnored& operator=(const KeysIgnored&) = delete;

 private:
  std::array<struct sigaction, kKeys.size()> before_ = {};
};

// Starts the program with default signal actions, also for signals that this process ignores.
pid_t start(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  sigset_t defaults;
  sigemptyset(&defaults);
  for (const int signal : {SIGINT, SIGQUIT, SIGPIPE, SIGXFSZ}) sigaddset(&defaults, signal);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t process = -1;
  const int error =
      posix_spawnp(&process, arguments[0], nullptr, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) throw ProcessError(error);
  return process;
}

}  // namespace

ProcessEnd run_on_terminal(const std::vector<std::string>& words) {
  const KeysIgnored keys;
  const pid_t process = start(words);
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) throw ProcessError(errno);
  }
  if (WIFSIGNALED(status)) return {.status = 0, .signal = WTERMSIG(status)};
  return {.status = WEXITSTATUS(status), .signal = 0};
}

}  // namespace bunraku
