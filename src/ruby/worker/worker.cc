#include "ruby/worker/worker.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <thread>

#include "ruby/worker/prelude.h"

namespace bunraku {
namespace {

constexpr int kWorkerSocket = 3;
// Larger messages are a mistake.
constexpr uint32_t kLargestFrame = uint32_t{1} << 30;

// Reads the prelude's files from the socket and starts its main file.
constexpr const char* kBootstrap =
    "io = IO.for_fd(3, 'r+b'); io.sync = true; "
    "$bunraku_prelude = Marshal.load(io.read(io.read(4).unpack1('V'))); "
    "$bunraku_io = io; "
    "eval($bunraku_prelude['core.rb'], TOPLEVEL_BINDING, 'bunraku/core.rb')";

struct Launch {
  const char* path;
  char* const* arguments;
  int socket;
  rlim_t memory_limit;
  pid_t parent;
};

// In the child: only what is allowed between fork and exec.
[[noreturn]] void run(const Launch& launch) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != launch.parent) _exit(1);
  const int null = open("/dev/null", O_RDWR);
  for (int stream = 0; stream < 3; ++stream) dup2(null, stream);
  if (launch.socket == kWorkerSocket) {
    fcntl(kWorkerSocket, F_SETFD, 0);
  } else {
    dup2(launch.socket, kWorkerSocket);
  }
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  const rlimit memory = {launch.memory_limit, launch.memory_limit};
  if (launch.memory_limit > 0) setrlimit(RLIMIT_AS, &memory);
  signal(SIGPIPE, SIG_DFL);
  sigset_t signals;
  sigemptyset(&signals);
  sigprocmask(SIG_SETMASK, &signals, nullptr);
  execv(launch.path, launch.arguments);
  _exit(127);
}

// Forks on a thread that lives as long as the process: a child that dies with its parent dies with
// the thread that forked it.
class Launcher {
 public:
  static Launcher& instance() {
    static auto* const launcher = new Launcher();
    return *launcher;
  }

  pid_t launch(const Launch& launch) {
    std::unique_lock lock(mutex_);
    free_.wait(lock, [this] { return waiting_ == nullptr && !is_done_; });
    waiting_ = &launch;
    asked_.notify_one();
    done_.wait(lock, [this] { return is_done_; });
    is_done_ = false;
    const pid_t process = process_;
    free_.notify_one();
    return process;
  }

 private:
  Launcher() {
    std::thread([this] { serve(); }).detach();
  }

  void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      asked_.wait(lock, [this] { return waiting_ != nullptr; });
      process_ = fork();
      if (process_ == 0) run(*waiting_);
      waiting_ = nullptr;
      is_done_ = true;
      done_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable free_, asked_, done_;
  const Launch* waiting_ = nullptr;
  bool is_done_ = false;
  pid_t process_ = -1;
};

}  // namespace

std::string find_ruby(const std::string& program) {
  if (program.find('/') != std::string::npos) {
    return access(program.c_str(), X_OK) == 0 ? program : std::string();
  }
  const char* path = std::getenv("PATH");
  std::string_view folders = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
  while (!folders.empty()) {
    const size_t end = std::min(folders.find(':'), folders.size());
    std::string candidate(folders.substr(0, end));
    folders.remove_prefix(std::min(end + 1, folders.size()));
    if (candidate.empty()) continue;
    candidate.append("/").append(program);
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

std::unique_ptr<RubyWorker> RubyWorker::start(const std::string& program, size_t memory_limit,
                                              std::string& reason) {
  const std::string path = find_ruby(program);
  if (path.empty()) {
    reason = "there is no program '" + program + "' to run it";
    return nullptr;
  }
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
    reason = std::strerror(errno);
    return nullptr;
  }
  const char* arguments[] = {path.c_str(), "--disable=gems,did_you_mean,error_highlight", "-e",
                             kBootstrap, nullptr};
  const Launch launch{path.c_str(), const_cast<char* const*>(arguments), sockets[1], memory_limit,
                      getpid()};
  const pid_t process = Launcher::instance().launch(launch);
  const int failure = errno;
  close(sockets[1]);
  if (process < 0) {
    close(sockets[0]);
    reason = std::strerror(failure);
    return nullptr;
  }
  fcntl(sockets[0], F_SETFL, O_NONBLOCK);
  std::unique_ptr<RubyWorker> worker(new RubyWorker(sockets[0], process));
  worker->send(prelude_frame(), RubyClock::now() + std::chrono::seconds(30));
  return worker;
}

RubyWorker::~RubyWorker() {
  kill_group();
  close(socket_);
  if (!is_reaped_) waitpid(process_, &status_, 0);
}

void RubyWorker::kill_group() {
  if (is_reaped_) return;
  if (kill(-process_, SIGKILL) != 0) kill(process_, SIGKILL);
}

RubyWorker::RubyWorker(int socket, pid_t process) : socket_(socket), process_(process) {
  if (sched_getaffinity(0, sizeof processors_, &processors_) != 0) CPU_ZERO(&processors_);
}

void RubyWorker::stay_with_caller() {
  const int processor = sched_getcpu();
  if (processor < 0 || processor == processor_ || CPU_COUNT(&processors_) < 2) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  processor_ = sched_setaffinity(process_, sizeof one, &one) == 0 ? processor : -1;
}

void RubyWorker::set_free() {
  if (processor_ < 0) return;
  processor_ = -1;
  sched_setaffinity(process_, sizeof processors_, &processors_);
}

bool RubyWorker::is_ready(short events, std::chrono::milliseconds timeout, int& error) const {
  pollfd poll_socket{socket_, events, 0};
  const int count = poll(&poll_socket, 1, static_cast<int>(timeout.count()));
  error = count < 0 ? errno : 0;
  return count > 0;
}

namespace {

// Keeps the thread on its processor while it stands: an answer would wake it on another one, where
// the worker would have to follow it for the next call.
class StayingThread {
 public:
  explicit StayingThread(int processor) {
    if (processor < 0 || sched_getaffinity(0, sizeof before_, &before_) != 0) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    stays_ = sched_setaffinity(0, sizeof one, &one) == 0;
  }
  ~StayingThread() { leave(); }
  StayingThread(const StayingThread&) = delete;
  StayingThread& operator=(const StayingThread&) = delete;

  void leave() {
    if (stays_) sched_setaffinity(0, sizeof before_, &before_);
    stays_ = false;
  }

 private:
  cpu_set_t before_;
  bool stays_ = false;
};

}  // namespace

RubyWorker::Outcome RubyWorker::wait_for(short events, RubyClock::time_point deadline) {
  using std::chrono::milliseconds;
  constexpr milliseconds kShortCall{2};
  StayingThread thread(processor_);
  for (;;) {
    const auto rest = std::chrono::duration_cast<milliseconds>(deadline - RubyClock::now());
    if (rest.count() < 0) return Outcome::kTimeout;
    const milliseconds most = processor_ >= 0 ? kShortCall : milliseconds(60'000);
    int error = 0;
    if (is_ready(events, std::min(rest + milliseconds(1), most), error)) return Outcome::kDone;
    if (error != 0 && error != EINTR) return Outcome::kDead;
    if (error == 0) {
      thread.leave();
      set_free();
    }
  }
}

RubyWorker::Outcome RubyWorker::send(std::string_view content, RubyClock::time_point deadline) {
  const auto size = static_cast<uint32_t>(content.size());
  char head[4];
  for (int i = 0; i < 4; ++i) head[i] = static_cast<char>(size >> (8 * i) & 0xff);
  std::string frame(head, sizeof head);
  frame.append(content);
  std::string_view rest = frame;
  stay_with_caller();
  while (!rest.empty()) {
    const ssize_t count = ::send(socket_, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (count > 0) {
      rest.remove_prefix(static_cast<size_t>(count));
    } else if (count < 0 && errno == EAGAIN) {
      const Outcome outcome = wait_for(POLLOUT, deadline);
      if (outcome != Outcome::kDone) return outcome;
    } else if (count < 0 && errno != EINTR) {
      return Outcome::kDead;
    }
  }
  return Outcome::kDone;
}

RubyWorker::Outcome RubyWorker::receive(std::string& content, RubyClock::time_point deadline) {
  for (;;) {
    if (received_.size() >= 4) {
      uint32_t size = 0;
      for (int i = 3; i >= 0; --i) size = size << 8 | static_cast<uint8_t>(received_[i]);
      if (size > kLargestFrame) return Outcome::kDead;
      if (received_.size() >= 4 + size_t{size}) {
        content.assign(received_, 4, size);
        received_.erase(0, 4 + size_t{size});
        return Outcome::kDone;
      }
      received_.reserve(4 + size_t{size});
    }
    char buffer[65536];
    const ssize_t count = recv(socket_, buffer, sizeof buffer, 0);
    if (count > 0) {
      received_.append(buffer, static_cast<size_t>(count));
    } else if (count < 0 && errno == EAGAIN) {
      const Outcome outcome = wait_for(POLLIN, deadline);
      if (outcome != Outcome::kDone) return outcome;
    } else if (count == 0 || errno != EINTR) {
      return Outcome::kDead;
    }
  }
}

bool RubyWorker::is_alive() const {
  pollfd poll_socket{socket_, POLLIN, 0};
  // Nothing is to come from a worker that was not asked.
  return poll(&poll_socket, 1, 0) == 0;
}

std::string RubyWorker::end_text() {
  if (!is_reaped_) {
    // Its socket is closed, but it may still be about to end.
    for (int i = 0; i < 100 && !is_reaped_; ++i) {
      is_reaped_ = waitpid(process_, &status_, WNOHANG) == process_;
      if (!is_reaped_) usleep(1000);
    }
    if (!is_reaped_) {
      kill_group();
      is_reaped_ = waitpid(process_, &status_, 0) == process_;
      return "closed its connection";
    }
  }
  if (WIFSIGNALED(status_)) return "was killed by signal " + std::to_string(WTERMSIG(status_));
  return "ended with exit status " + std::to_string(WEXITSTATUS(status_));
}

}  // namespace bunraku
