#include "runner/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace bunraku::cases {

namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void failed(const char* what) {
  throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}

struct Pipe {
  Pipe() {
    if (pipe2(ends.data(), O_CLOEXEC) != 0) failed("pipe");
  }
  std::array<int, 2> ends;
};

// In the child: executes the program. Never returns.
[[noreturn]] void become(const std::vector<std::string>& command, const char* directory,
                         const std::vector<std::string>& environment) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  for (const std::string& entry : environment) putenv(const_cast<char*>(entry.c_str()));
  if (directory[0] == '\0' || chdir(directory) == 0) execvp(words[0], words.data());
  _exit(127);
}

// Reads both ends until they are closed or the time is over; returns true when all was read in
// time.
bool drain(std::array<pollfd, 2>& ends, std::array<std::string*, 2> texts,
           Clock::time_point until) {
  std::array<char, 65536> buffer;
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    if (left <= 0) return false;
    if (poll(ends.data(), ends.size(), static_cast<int>(left)) <= 0) continue;
    for (size_t i = 0; i < ends.size(); ++i) {
      if (ends[i].fd < 0 || ends[i].revents == 0) continue;
      const ssize_t count = read(ends[i].fd, buffer.data(), buffer.size());
      if (count > 0) {
        texts[i]->append(buffer.data(), static_cast<size_t>(count));
      } else {
        close(ends[i].fd);
        ends[i].fd = -1;
      }
    }
  }
  return true;
}

}  // namespace

ProcessResult run(const std::vector<std::string>& command, const std::filesystem::path& directory,
                  const std::vector<std::string>& environment, int seconds) {
  Pipe out, err;
  const pid_t pid = fork();
  if (pid < 0) failed("fork");
  if (pid == 0) {
    setpgid(0, 0);  // so that its children can be killed with it
    const int nothing = open("/dev/null", O_RDONLY);
    if (nothing < 0) _exit(127);
    dup2(nothing, STDIN_FILENO);
    dup2(out.ends[1], STDOUT_FILENO);
    dup2(err.ends[1], STDERR_FILENO);
    become(command, directory.c_str(), environment);
  }
  close(out.ends[1]);
  close(err.ends[1]);

  ProcessResult result;
  std::array<pollfd, 2> ends{{{out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}}};
  const Clock::time_point until = Clock::now() + std::chrono::seconds(seconds);
  result.timed_out = !drain(ends, {&result.out, &result.err}, until);
  if (result.timed_out) kill(-pid, SIGKILL);
  for (const pollfd& end : ends) {
    if (end.fd >= 0) close(end.fd);
  }

  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  if (WIFEXITED(status)) result.exit = WEXITSTATUS(status);
  return result;
}

Conversation::Conversation(const std::vector<std::string>& command) {
  signal(SIGPIPE, SIG_IGN);
  Pipe in, out;
  pid_ = fork();
  if (pid_ < 0) failed("fork");
  if (pid_ == 0) {
    dup2(in.ends[0], STDIN_FILENO);
    dup2(out.ends[1], STDOUT_FILENO);
    become(command, "", {});
  }
  close(in.ends[0]);
  close(out.ends[1]);
  to_ = fdopen(in.ends[1], "w");
  from_ = fdopen(out.ends[0], "r");
}

Conversation::~Conversation() {
  fclose(to_);
  fclose(from_);
  waitpid(pid_, nullptr, 0);
}

std::string Conversation::ask(const std::string& line) {
  fwrite(line.data(), 1, line.size(), to_);
  fputc('\n', to_);
  char* answer = nullptr;
  size_t capacity = 0;
  const bool sent = fflush(to_) == 0;
  const ssize_t length = sent ? getline(&answer, &capacity, from_) : -1;
  std::string text(answer ? answer : "", length > 0 ? static_cast<size_t>(length) : 0);
  free(answer);
  if (length <= 0) throw std::runtime_error("the reference has ended without an answer");
  return text;
}

}  // namespace bunraku::cases
