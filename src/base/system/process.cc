// Running of programs, the side of this process; for the other side see supervisor.cc.
#include "base/system/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <utility>

#include "base/system/descriptor.h"
#include "base/system/limits.h"
#include "base/system/supervisor.h"

extern char** environ;

namespace bunraku {
namespace {

using supervision::Event;
using supervision::LaunchRequest;
using supervision::ProgramHead;
using supervision::Report;

static_assert(sizeof(LaunchRequest::numbers) / sizeof(int32_t) == kMostProcessStreams);

// --- the launcher
// ---------------------------------------------------------------------------------

class Launcher {
 public:
  static Launcher& instance() {
    // Never destroyed: the launcher ends when this process does.
    static auto* const launcher = new Launcher();
    return *launcher;
  }

  void prepare() {
    const std::lock_guard lock(mutex_);
    if (socket_ < 0) fork_launcher();
  }

  void finish() {
    const std::lock_guard lock(mutex_);
    if (socket_ < 0) return;
    const Descriptor socket(std::exchange(socket_, -1));
    shutdown(socket.number(), SHUT_WR);
    // The launcher's exit closes its end.
    pollfd event{socket.number(), POLLIN, 0};
    constexpr int kLongest = 2000;
    int count = 0;
    do {
      count = poll(&event, 1, kLongest);
    } while (count < 0 && errno == EINTR);
    if (count > 0) waitpid(process_, nullptr, 0);
    process_ = -1;
  }

  void launch(const LaunchRequest& request, const std::vector<int>& descriptors) {
    const std::lock_guard lock(mutex_);
    if (socket_ < 0) fork_launcher();
    if (send(request, descriptors)) return;
    // The launcher was killed.
    close(std::exchange(socket_, -1));
    waitpid(std::exchange(process_, -1), nullptr, 0);
    fork_launcher();
    if (!send(request, descriptors)) throw ProcessError(errno);
  }

 private:
  void fork_launcher() {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) throw ProcessError(errno);
    Descriptor ours(ends[0]), launchers(ends[1]);
    // Moved above the standard streams, in case one of them is closed.
    const Descriptor placed(fcntl(launchers.number(), F_DUPFD_CLOEXEC, 3));
    if (!placed.is_open()) throw ProcessError(errno);
    process_ = fork();
    if (process_ < 0) throw ProcessError(errno);
    if (process_ == 0) supervision::serve(placed.number());
    socket_ = ours.release();
  }

  bool send(const LaunchRequest& request, const std::vector<int>& descriptors) const {
    iovec content{const_cast<LaunchRequest*>(&request), sizeof request};
    alignas(cmsghdr) char ancillary[CMSG_SPACE(sizeof(int) * supervision::kMostDescriptors)] = {};
    msghdr message{};
    message.msg_iov = &content;
    message.msg_iovlen = 1;
    message.msg_control = ancillary;
    const size_t size = descriptors.size() * sizeof(int);
    message.msg_controllen = CMSG_SPACE(size);
    cmsghdr* part = CMSG_FIRSTHDR(&message);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(size);
    std::memcpy(CMSG_DATA(part), descriptors.data(), size);
    ssize_t count = 0;
    do {
      count = sendmsg(socket_, &message, MSG_NOSIGNAL);
    } while (count < 0 && errno == EINTR);
    return count >= 0;
  }

  std::mutex mutex_;
  int socket_ = -1;
  pid_t process_ = -1;
};

// --- what a supervisor is sent
// --------------------------------------------------------------------

void add_text(std::string& payload, std::string_view text) {
  payload.append(text);
  payload.push_back('\0');
}

bool has_zero(const std::vector<std::string>& texts) {
  return std::ranges::any_of(texts,
                             [](const std::string& text) { return text.find('\0') != text.npos; });
}

std::vector<std::string> own_environment() {
  std::vector<std::string> variables;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    variables.emplace_back(*variable);
  }
  return variables;
}

bool is_executable(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         access(path.c_str(), X_OK) == 0;
}

std::string program_path(const std::string& word) {
  if (word.empty()) throw ProcessError(ENOENT);
  if (word.find('/') != word.npos) return word;
  std::string path = find_program(word);
  if (path.empty()) throw ProcessError(ENOENT);
  return path;
}

std::string payload_of(const ProcessStart& start) {
  if (start.words.empty()) throw ProcessError(EINVAL);
  const std::vector<std::string> environment =
      start.environment ? *start.environment : own_environment();
  if (has_zero(start.words) || has_zero(environment) || has_zero({start.directory})) {
    throw ProcessError(EINVAL);
  }
  ProgramHead head{};
  std::string payload;
  if (start.identity) {
    const ProcessIdentity& identity = *start.identity;
    head.has_identity = 1;
    head.user = identity.user;
    head.group = identity.group;
    head.groups = static_cast<uint32_t>(identity.groups.size());
    payload.append(reinterpret_cast<const char*>(identity.groups.data()),
                   identity.groups.size() * sizeof(gid_t));
  }
  add_text(payload, program_path(start.words[0]));
  add_text(payload, start.directory);
  for (const std::string& word : start.words) add_text(payload, word);
  for (const std::string& variable : environment) add_text(payload, variable);
  // Larger than any kernel's limit.
  constexpr size_t kLargest = size_t{64} << 20;
  if (payload.size() > kLargest) throw ProcessError(E2BIG);
  head.size = payload.size();
  head.address_space = start.address_space;
  head.words = static_cast<uint32_t>(start.words.size());
  head.variables = static_cast<uint32_t>(environment.size());
  head.leaves_descendants = start.descendants == Descendants::kLeave ? 1 : 0;
  head.ends_descendants = start.descendants == Descendants::kEnd ? 1 : 0;
  head.has_umask = start.umask ? 1 : 0;
  head.umask = start.umask.value_or(0);
  return std::string(reinterpret_cast<const char*>(&head), sizeof head) + payload;
}

bool send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

int milliseconds_until(ProcessClock::time_point deadline) {
  const auto rest =
      std::chrono::ceil<std::chrono::milliseconds>(deadline - ProcessClock::now()).count();
  return static_cast<int>(std::clamp<int64_t>(rest, 0, 3'600'000));
}

// Returns false at the deadline.
bool wait_readable(int descriptor, ProcessClock::time_point deadline) {
  for (;;) {
    pollfd event{descriptor, POLLIN, 0};
    const int count = poll(&event, 1, milliseconds_until(deadline));
    if (count > 0) return true;
    if (ProcessClock::now() >= deadline || (count < 0 && errno != EINTR)) return false;
  }
}

// Returns false when the other end is closed.
bool receive_report(int control, Report& report) {
  auto* at = reinterpret_cast<char*>(&report);
  for (size_t rest = sizeof report; rest > 0;) {
    const ssize_t count = recv(control, at, rest, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += count;
    rest -= static_cast<size_t>(count);
  }
  return true;
}

}  // namespace

// ECHILD means that the supervisor was killed.
ProcessError::ProcessError(int error)
    : error_(error),
      reason_(error == ECHILD ? "its supervisor was killed before it began"
                              : std::strerror(error)) {}

std::string find_program(std::string_view name, const char* path) {
  if (name.find('/') != name.npos) {
    return is_executable(std::string(name)) ? std::string(name) : std::string();
  }
  if (path == nullptr) path = std::getenv("PATH");
  std::string_view directories = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
  while (!directories.empty()) {
    const size_t end = std::min(directories.find(':'), directories.size());
    std::string candidate(directories.substr(0, end));
    directories.remove_prefix(std::min(end + 1, directories.size()));
    if (candidate.empty()) continue;
    candidate.append("/").append(name);
    if (is_executable(candidate)) return candidate;
  }
  return {};
}

void prepare_processes() {
  Launcher::instance().prepare();
}

void finish_processes() {
  Launcher::instance().finish();
}

// --- a program that runs
// --------------------------------------------------------------------------

ChildProcess::ChildProcess(const ProcessStart& start) {
  const std::string payload = payload_of(start);
  if (start.streams.size() > kMostProcessStreams) throw ProcessError(EINVAL);
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) throw ProcessError(errno);
  Descriptor ours(ends[0]), supervisors(ends[1]);
  const Descriptor directory(open(".", O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!directory.is_open()) throw ProcessError(errno);
  LaunchRequest request{};
  std::vector<int> descriptors = {supervisors.number(), directory.number()};
  for (const ProcessStream& stream : start.streams) {
    request.numbers[request.streams++] = stream.number;
    descriptors.push_back(stream.descriptor);
  }
  Launcher::instance().launch(request, descriptors);
  supervisors.reset();
  // A supervisor that could not be forked reads nothing, but its report is received below.
  send_all(ours.number(), payload);
  Report report{};
  constexpr std::chrono::seconds kLongestStart(60);
  if (!wait_readable(ours.number(), ProcessClock::now() + kLongestStart)) {
    throw ProcessError(ETIMEDOUT);
  }
  if (!receive_report(ours.number(), report)) throw ProcessError(ECHILD);
  if (report.event != Event::kStarted) throw ProcessError(report.value);
  id_ = report.value;
  control_ = ours.release();
}

ChildProcess::~ChildProcess() {
  end();
  close(control_);
}

bool ChildProcess::read_report(ProcessClock::time_point deadline) {
  if (is_gone_ || !wait_readable(control_, deadline)) return false;
  Report report{};
  if (!receive_report(control_, report)) {
    is_gone_ = true;
    // Its supervisor was killed, and the program with it.
    if (!end_) end_ = ProcessEnd{0, SIGKILL};
    return true;
  }
  if (report.event == Event::kEnded) {
    const int status = report.value;
    end_ =
        WIFSIGNALED(status) ? ProcessEnd{0, WTERMSIG(status)} : ProcessEnd{WEXITSTATUS(status), 0};
  }
  return true;
}

std::optional<ProcessEnd> ChildProcess::wait(ProcessClock::time_point deadline) {
  while (!end_ && read_report(deadline)) continue;
  return end_;
}

void ChildProcess::end() {
  if (is_gone_) return;
  const char request = 'K';
  (void)send(control_, &request, 1, MSG_NOSIGNAL);
  const auto deadline = ProcessClock::now() + std::chrono::seconds(5);
  while (!is_gone_ && read_report(deadline)) continue;
}

// --- a program from its start to its end
// ----------------------------------------------------------

namespace {

// The output of a program, up to a limit.
class Output {
 public:
  Output(std::string& text, uint64_t largest) : text_(text), largest_(largest) {}

  // Opens the pipe and returns the program's end.
  Descriptor open() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw ProcessError(errno);
    end_ = Descriptor(ends[0]);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return Descriptor(ends[1]);
  }

  bool is_open() const { return end_.is_open(); }
  int number() const { return end_.number(); }
  bool is_too_large() const { return text_.size() > largest_; }

  // Reads the available bytes.
  void read() {
    char buffer[1 << 16];
    while (end_.is_open() && !is_too_large()) {
      const ssize_t count = ::read(end_.number(), buffer, sizeof buffer);
      if (count > 0) {
        text_.append(buffer, static_cast<size_t>(count));
      } else if (count == 0 || (errno != EINTR && errno != EAGAIN)) {
        end_.reset();
      } else if (errno == EAGAIN) {
        return;
      }
    }
  }

 private:
  std::string& text_;
  uint64_t largest_;
  Descriptor end_;
};

// Returns a descriptor from which the bytes can be read.
Descriptor input_of(const std::string& bytes) {
  Descriptor file(memfd_create("bunraku-input", MFD_CLOEXEC));
  if (!file.is_open()) throw ProcessError(errno);
  for (std::string_view rest = bytes; !rest.empty();) {
    const ssize_t count = write(file.number(), rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw ProcessError(errno);
    rest.remove_prefix(static_cast<size_t>(count));
  }
  if (lseek(file.number(), 0, SEEK_SET) != 0) throw ProcessError(errno);
  return file;
}

class Run {
 public:
  Run(const ProcessCall& call, ProcessResult& result)
      : call_(call),
        result_(result),
        output_(result.output, call.largest_output),
        errors_(result.errors, call.largest_output),
        deadline_(ProcessClock::now() + call.time_limit) {}

  void run() {
    ProcessStart start = call_.start;
    std::vector<Descriptor> given;
    give(start, given, 1, output_.open());
    if (!call_.input.empty()) give(start, given, 0, input_of(call_.input));
    switch (call_.errors) {
      case ErrorOutput::kSeparate:
        give(start, given, 2, errors_.open());
        break;
      case ErrorOutput::kIntoOutput:
        start.streams.push_back({2, given.front().number()});
        break;
      case ErrorOutput::kShown:
        if (fcntl(STDERR_FILENO, F_GETFD) >= 0) start.streams.push_back({2, STDERR_FILENO});
        break;
      case ErrorOutput::kDropped:
        break;
    }
    ChildProcess process(start);
    given.clear();
    converse(process);
    process.end();
    result_.end = process.wait(ProcessClock::now()).value_or(ProcessEnd{0, SIGKILL});
  }

 private:
  static void give(ProcessStart& start, std::vector<Descriptor>& given, int number,
                   Descriptor descriptor) {
    start.streams.push_back({number, descriptor.number()});
    given.push_back(std::move(descriptor));
  }

  void converse(ChildProcess& process) {
    bool has_ended = false;
    for (;;) {
      output_.read();
      errors_.read();
      if (output_.is_too_large() || errors_.is_too_large()) return give_up_large();
      const bool is_closed = !output_.is_open() && !errors_.is_open();
      if (has_ended && (is_closed || call_.start.descendants != Descendants::kAwait)) return;
      if (ProcessClock::now() >= deadline_) return give_up_late();
      // poll() ignores negative descriptors.
      pollfd events[3] = {{output_.number(), POLLIN, 0},
                          {errors_.number(), POLLIN, 0},
                          {has_ended ? -1 : process.descriptor(), POLLIN, 0}};
      poll(events, 3, patience());
      if (events[2].revents != 0) has_ended = process.wait(ProcessClock::now()).has_value();
    }
  }

  // The maximum wait in milliseconds, within the limits of the surrounding work. Throws LimitError.
  int patience() const {
    constexpr int kCancellationInterval = 200;
    int patience = milliseconds_until(deadline_);
    WorkLimits* limits = WorkLimits::current();
    if (limits == nullptr) return patience;
    limits->check();
    if (limits->can_be_cancelled()) patience = std::min(patience, kCancellationInterval);
    const std::optional<std::chrono::milliseconds> rest = limits->rest();
    if (rest && rest->count() < patience) patience = static_cast<int>(rest->count()) + 1;
    return patience;
  }

  void give_up_large() {
    result_.outcome = ProcessOutcome::kOutputTooLarge;
    result_.reason = fmt::format("wrote more than {} MB", call_.largest_output >> 20);
  }
  void give_up_late() {
    result_.outcome = ProcessOutcome::kTimedOut;
    result_.reason = fmt::format("did not end within {:g} seconds",
                                 std::chrono::duration<double>(call_.time_limit).count());
  }

  const ProcessCall& call_;
  ProcessResult& result_;
  Output output_, errors_;
  ProcessClock::time_point deadline_;
};

}  // namespace

ProcessResult run_process(const ProcessCall& call) {
  ProcessResult result;
  try {
    Run(call, result).run();
  } catch (const ProcessError& error) {
    result.outcome = ProcessOutcome::kNotStarted;
    result.reason = error.what();
  }
  return result;
}

}  // namespace bunraku
