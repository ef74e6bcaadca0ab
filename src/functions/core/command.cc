#include "functions/core/command.h"
#include "base/system/reads.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>

extern char** environ;

namespace bunraku {

namespace {

bool is_dropped(std::string_view variable) {
  std::string_view name = variable.substr(0, variable.find('='));
  for (std::string_view dropped :
       {"LANG", "LANGUAGE", "HOME", "USER", "LOGNAME", "USERNAME", "SHELL", "MAIL"}) {
    if (name == dropped) return true;
  }
  return name.starts_with("LC_");
}

std::vector<char*> command_environment() {
  static char language[] = "LANG=C";
  static char locale[] = "LC_ALL=C";
  std::vector<char*> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!is_dropped(*variable)) variables.push_back(*variable);
  }
  variables.insert(variables.end(), {language, locale, nullptr});
  return variables;
}

constexpr size_t kLargestOutput = size_t{256} << 20;

// Stops where no text of the language could hold more.
std::string read_all(int descriptor) {
  std::string all;
  char buffer[1 << 16];
  while (all.size() <= kLargestOutput) {
    ssize_t count = read(descriptor, buffer, sizeof buffer);
    if (count > 0) {
      all.append(buffer, static_cast<size_t>(count));
    } else if (count == 0 || errno != EINTR) {
      break;
    }
  }
  return all;
}

}  // namespace

CommandResult run_command(const std::vector<std::string>& words, const std::string& folder,
                          ErrorStream errors) {
  tell_untracked("a program was run");
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {false, 0, std::strerror(errno)};
  std::vector<char*> arguments;
  // A shell's, if it turns out to be a script that does not say whose.
  static char shell[] = "/bin/sh";
  arguments.push_back(shell);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::vector<char*> variables = command_environment();

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  if (errors == ErrorStream::kIntoOutput) posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  pid_t child = 0;
  int failure =
      posix_spawnp(&child, arguments[1], &actions, nullptr, &arguments[1], variables.data());
  if (failure == ENOEXEC) {
    failure = posix_spawn(&child, shell, &actions, nullptr, arguments.data(), variables.data());
  }
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (failure != 0) {
    close(ends[0]);
    return {false, 0, std::strerror(failure)};
  }
  CommandResult result{true, 0, read_all(ends[0])};
  close(ends[0]);
  const bool is_endless = result.output.size() > kLargestOutput;
  if (is_endless) {
    kill(child, SIGKILL);
    result.output = "its output is larger than 256 MB";
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (is_endless) result.status = 128 + SIGKILL;
  return result;
}

}  // namespace bunraku
