// One process that runs Ruby code: its start, its messages and its end.
#include "ruby/worker/worker.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "base/system/process.h"
#include "ruby/worker/prelude.h"

namespace bunraku {
namespace {

constexpr int kWorkerSocket = 3;
constexpr int kCompiledPrelude = 4;
// A larger message is treated as malformed.
constexpr uint32_t kLargestFrame = uint32_t{256} << 20;

// Reads the texts of the prelude from the socket and its compiled form from a file, and runs its
// main file. The compiled form is ignored when another version of Ruby made it.
constexpr const char* kBootstrap =
    "io = IO.for_fd(3, 'r+b'); io.sync = true; io.close_on_exec = true; "
    "texts = Marshal.load(io.read(io.read(4).unpack1('V'))); "
    "compiled = {}; "
    "begin; file = File.for_fd(4, 'rb'); size = file.size; "
    "compiled = Marshal.load(file.pread(size, 0)) if size > 0; file.close; "
    "rescue SystemCallError, ArgumentError; end; "
    "sequences = RubyVM::InstructionSequence; "
    "begin; sequences.load_from_binary(compiled['core.rb']) if compiled['core.rb']; "
    "rescue RuntimeError; compiled = {}; end; "
    "$bunraku_io = io; "
    "$bunraku_prelude = [texts, ->(name) { "
    "code = compiled.delete(name); "
    "code ? sequences.load_from_binary(code).eval : "
    "eval(texts[name], TOPLEVEL_BINDING, \"bunraku/#{name}\") }]; "
    "$bunraku_prelude[1].('core.rb')";

}  // namespace

namespace {

// An in-memory file with the compiled prelude, shared by all workers; -1 when there is none. The
// prelude is too large to send over the socket before the worker reads.
int compiled_prelude_file() {
  static const int file = [] {
    int made = memfd_create("bunraku-prelude", MFD_CLOEXEC);
    const std::string_view bytes = compiled_prelude();
    for (size_t at = 0; made >= 0 && at < bytes.size();) {
      const ssize_t count = write(made, bytes.data() + at, bytes.size() - at);
      if (count > 0) {
        at += static_cast<size_t>(count);
      } else if (count == 0 || errno != EINTR) {
        close(std::exchange(made, -1));
      }
    }
    return made;
  }();
  return file;
}

// The child processes of workers, kept here so that worker.h need not include process headers.
class Processes {
 public:
  static Processes& instance() {
    // Never destroyed: programs end with this process.
    static auto* const processes = new Processes();
    return *processes;
  }

  void keep(const RubyWorker* worker, std::unique_ptr<ChildProcess> process) {
    const std::lock_guard lock(mutex_);
    processes_[worker] = std::move(process);
  }
  ChildProcess& of(const RubyWorker* worker) {
    const std::lock_guard lock(mutex_);
    return *processes_.at(worker);
  }
  std::unique_ptr<ChildProcess> take(const RubyWorker* worker) {
    const std::lock_guard lock(mutex_);
    auto node = processes_.extract(worker);
    return node.empty() ? nullptr : std::move(node.mapped());
  }

 private:
  std::mutex mutex_;
  std::unordered_map<const RubyWorker*, std::unique_ptr<ChildProcess>> processes_;
};

bool is_too_large(std::string_view frame) {
  uint32_t size = 0;
  for (int i = 3; i >= 0; --i)
    size = size << 8 | static_cast<uint8_t>(frame[static_cast<size_t>(i)]);
  return size > kLargestFrame;
}

}  // namespace

std::string find_ruby(const std::string& program) {
  return find_program(program);
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
  ProcessStart start;
  start.words = {path, "--disable=gems,did_you_mean,error_highlight", "-e", kBootstrap};
  start.address_space = memory_limit;
  start.streams = {{kWorkerSocket, sockets[1]}};
  if (const int compiled = compiled_prelude_file(); compiled >= 0) {
    start.streams.push_back({kCompiledPrelude, compiled});
  }
  // A worker without a memory limit belongs to a run that changes the host, and may start services.
  start.descendants = memory_limit == 0 ? Descendants::kLeave : Descendants::kEnd;
  std::unique_ptr<RubyWorker> worker;
  try {
    auto process = std::make_unique<ChildProcess>(start);
    worker.reset(new RubyWorker(sockets[0], process->id()));
    Processes::instance().keep(worker.get(), std::move(process));
  } catch (const ProcessError& error) {
    reason = error.what();
    close(sockets[0]);
  }
  close(sockets[1]);
  if (worker == nullptr) return nullptr;
  fcntl(sockets[0], F_SETFL, O_NONBLOCK);
  worker->send(prelude_frame(), RubyClock::now() + std::chrono::seconds(30));
  return worker;
}

RubyWorker::~RubyWorker() {
  Processes::instance().take(this);
  close(socket_);
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
  processor_ = sched_setaffinity(process(), sizeof one, &one) == 0 ? processor : -1;
}

void RubyWorker::set_free() {
  if (processor_ < 0) return;
  processor_ = -1;
  sched_setaffinity(process(), sizeof processors_, &processors_);
}

bool RubyWorker::is_ready(short events, std::chrono::milliseconds timeout, int& error) const {
  pollfd poll_socket{socket_, events, 0};
  const int count = poll(&poll_socket, 1, static_cast<int>(timeout.count()));
  error = count < 0 ? errno : 0;
  return count > 0;
}

namespace {

// Keeps the calling thread on its processor: otherwise an answer would wake it on another one, and
// the worker would have to follow it there for the next call.
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

bool RubyWorker::is_ready_again(RubyClock::time_point deadline) {
  std::string message;
  return receive(message, deadline) == Outcome::kDone;
}

void RubyWorker::end_orderly(RubyClock::time_point deadline) {
  shutdown(socket_, SHUT_WR);
  Processes::instance().of(this).wait(deadline);
}

std::string RubyWorker::end_text() {
  if (received_.size() >= 4 && is_too_large(received_)) {
    return "sent a message of more than " + std::to_string(kLargestFrame >> 20) + " MB";
  }
  // The socket is closed, but the process may not have ended yet.
  ChildProcess& process = Processes::instance().of(this);
  const auto end = process.wait(RubyClock::now() + std::chrono::milliseconds(200));
  process.end();
  if (!end) return "closed its connection";
  if (end->signal != 0) return "was killed by signal " + std::to_string(end->signal);
  return "ended with exit status " + std::to_string(end->status);
}

}  // namespace bunraku
