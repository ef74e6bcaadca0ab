// The launcher of programs and their supervisors, in forked processes: only system calls.
#include "base/system/supervisor.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <grp.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <initializer_list>

namespace bunraku::supervision {
namespace {

// --- small things
// ---------------------------------------------------------------------------------

bool read_all(int descriptor, void* target, size_t size) {
  char* at = static_cast<char*>(target);
  while (size > 0) {
    const ssize_t count = read(descriptor, at, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += count;
    size -= static_cast<size_t>(count);
  }
  return true;
}

void report(int control, Event event, int value) {
  const Report report{event, value};
  // The reader may be gone.
  (void)send(control, &report, sizeof report, MSG_NOSIGNAL);
}

void close_from(unsigned first, unsigned last) {
  if (first > last || close_range(first, last, 0) == 0) return;
  for (unsigned number = first; number <= last && number < 65536; ++number) {
    close(static_cast<int>(number));
  }
}

// Ignores signals that a terminal or an init system sends to all processes: programs are ended only
// when the socket of their supervisor is closed.
void ignore_requests_to_end() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP}) {
    signal(number, SIG_IGN);
  }
}

// --- the program
// ----------------------------------------------------------------------------------

struct Program {
  const ProgramHead* head;
  const gid_t* groups;
  const char* path;
  const char* directory;
  // With /bin/sh and the path before the arguments; arguments[1] is the program's first word.
  char** arguments;
  char** environment;
};

// Moves a descriptor to a number above those of the streams.
bool move_above(int& descriptor, int taken) {
  if (descriptor > taken) return true;
  descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, taken + 1);
  return descriptor >= 0;
}

bool place_streams(const LaunchRequest& request, int* streams, int& failure) {
  int taken = STDERR_FILENO;
  for (uint32_t i = 0; i < request.streams; ++i) {
    if (request.numbers[i] > taken) taken = request.numbers[i];
  }
  if (!move_above(failure, taken)) return false;
  for (uint32_t i = 0; i < request.streams; ++i) {
    if (!move_above(streams[i], taken)) return false;
  }
  // The others are /dev/null already.
  for (uint32_t i = 0; i < request.streams; ++i) {
    if (dup2(streams[i], request.numbers[i]) < 0) return false;
  }
  return true;
}

bool become_user(const Program& program) {
  const ProgramHead& head = *program.head;
  if (head.has_identity == 0) return true;
  return setgroups(head.groups, program.groups) == 0 &&
         setresgid(head.group, head.group, head.group) == 0 &&
         setresuid(head.user, head.user, head.user) == 0;
}

bool limit_resources(const ProgramHead& head) {
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (head.address_space == 0) return true;
  rlimit memory{};
  if (getrlimit(RLIMIT_AS, &memory) != 0) return false;
  if (head.address_space < memory.rlim_max) memory.rlim_max = head.address_space;
  memory.rlim_cur = memory.rlim_max;
  return setrlimit(RLIMIT_AS, &memory) == 0;
}

void reset_signals() {
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Executes the program; on failure, writes errno to `failure`.
[[noreturn]] void become(const Program& program, const LaunchRequest& request, int* streams,
                         int working_directory, pid_t supervisor, int failure) {
  const ProgramHead& head = *program.head;
  setpgid(0, 0);
  bool is_ready = fchdir(working_directory) == 0 && place_streams(request, streams, failure) &&
                  limit_resources(head);
  if (head.has_umask != 0) umask(head.umask);
  // The directory may be accessible only for this user, or only for the program's user.
  const bool is_inside = *program.directory == '\0' || chdir(program.directory) == 0;
  is_ready = is_ready && become_user(program);
  if (is_ready && !is_inside) is_ready = chdir(program.directory) == 0;
  if (is_ready) {
    // A change of the user resets this.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != supervisor) _exit(127);
    reset_signals();
    execve(program.path, program.arguments + 1, program.environment);
    if (errno == ENOEXEC) {
      program.arguments[1] = const_cast<char*>(program.path);
      execve("/bin/sh", program.arguments, program.environment);
    }
  }
  const int error = errno;
  (void)!write(failure, &error, sizeof error);
  _exit(127);
}

// --- what it starts
// -------------------------------------------------------------------------------

enum class Killing { kSome, kNone, kRefused };

// Sends SIGKILL to each child of this process. kRefused: they belong to another user, or the system
// does not list them.
Killing kill_children() {
  const int list = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (list < 0) return Killing::kRefused;
  char buffer[4096];
  bool is_refused = false, has_killed = false;
  pid_t process = 0;
  for (;;) {
    const ssize_t count = read(list, buffer, sizeof buffer);
    if (count <= 0) break;
    for (ssize_t i = 0; i < count; ++i) {
      if (buffer[i] >= '0' && buffer[i] <= '9') {
        process = process * 10 + (buffer[i] - '0');
        continue;
      }
      if (process > 0) (kill(process, SIGKILL) == 0 ? has_killed : is_refused) = true;
      process = 0;
    }
  }
  close(list);
  return has_killed ? Killing::kSome : is_refused ? Killing::kRefused : Killing::kNone;
}

class Supervisor {
 public:
  Supervisor(int control, pid_t program, const ProgramHead& head)
      : control_(control),
        program_(program),
        leaves_descendants_(head.leaves_descendants != 0),
        ends_descendants_(head.ends_descendants != 0) {}

  [[noreturn]] void run(int children) {
    for (;;) {
      reap();
      if (is_alone_ || (has_ended_ && leaves_descendants_)) _exit(0);
      if (has_ended_ && ends_descendants_) break;
      pollfd events[2] = {{control_, POLLIN, 0}, {children, POLLIN, 0}};
      if (poll(events, 2, -1) < 0 && errno != EINTR) break;
      if (events[1].revents != 0) forget(children);
      if (events[0].revents != 0) break;  // a request to end, or the other end is closed
    }
    end_all(children);
    _exit(0);
  }

 private:
  static void forget(int children) {
    signalfd_siginfo signals[8];
    (void)!read(children, signals, sizeof signals);
  }

  void reap() {
    for (;;) {
      int status = 0;
      const pid_t process = waitpid(-1, &status, WNOHANG);
      if (process < 0 && errno == EINTR) continue;
      if (process < 0) is_alone_ = true;
      if (process <= 0) return;
      if (process != program_) continue;
      has_ended_ = true;
      report(control_, Event::kEnded, status);
    }
  }

  void end_all(int children) {
    while (!is_alone_) {
      if (!has_ended_) kill(-program_, SIGKILL);
      const Killing rest = leaves_descendants_ ? Killing::kRefused : kill_children();
      reap();
      if (is_alone_ || (has_ended_ && rest == Killing::kRefused)) return;
      pollfd event{children, POLLIN, 0};
      if (poll(&event, 1, 20) > 0) forget(children);
    }
  }

  int control_;
  pid_t program_;
  bool leaves_descendants_;
  bool ends_descendants_;
  bool has_ended_ = false;
  bool is_alone_ = false;
};

// --- the supervisor
// -------------------------------------------------------------------------------

// The consecutive texts of the received message.
class Texts {
 public:
  Texts(char* at, char* end) : at_(at), end_(end) {}
  char* next() {
    char* text = at_;
    while (at_ != end_ && *at_ != '\0') ++at_;
    if (at_ == end_) _exit(127);
    ++at_;
    return text;
  }

 private:
  char* at_;
  char* end_;
};

char* memory_for(size_t size) {
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<char*>(memory);
}

bool read_program(int control, ProgramHead& head, Program& program) {
  if (!read_all(control, &head, sizeof head)) _exit(127);
  const size_t pointers = (size_t{head.words} + head.variables + 4) * sizeof(char*);
  char* memory = memory_for(pointers + head.size);
  if (memory == nullptr) return false;
  if (!read_all(control, memory + pointers, head.size)) _exit(127);
  program.head = &head;
  program.groups = reinterpret_cast<const gid_t*>(memory + pointers);
  Texts texts(memory + pointers + head.groups * sizeof(gid_t), memory + pointers + head.size);
  program.path = texts.next();
  program.directory = texts.next();
  program.arguments = reinterpret_cast<char**>(memory);
  char** at = program.arguments;
  static char shell[] = "/bin/sh";
  *at++ = shell;
  for (uint32_t i = 0; i < head.words; ++i) *at++ = texts.next();
  *at++ = nullptr;
  program.environment = at;
  for (uint32_t i = 0; i < head.variables; ++i) *at++ = texts.next();
  *at = nullptr;
  return true;
}

[[noreturn]] void fail(int control, int error) {
  report(control, Event::kFailed, error);
  _exit(0);
}

[[noreturn]] void supervise(const LaunchRequest& request, int* descriptors) {
  const int control = descriptors[0], working_directory = descriptors[1];
  int* streams = descriptors + 2;
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_NAME, "bunraku-run");
  signal(SIGCHLD, SIG_DFL);
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_SETMASK, &child, nullptr);
  const int children = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
  ProgramHead head{};
  Program program{};
  if (!read_program(control, head, program)) fail(control, ENOMEM);
  int ends[2];
  if (children < 0 || pipe2(ends, O_CLOEXEC) != 0) fail(control, errno);
  const pid_t self = getpid();
  const pid_t process = fork();
  if (process < 0) fail(control, errno);
  if (process == 0) become(program, request, streams, working_directory, self, ends[1]);
  close(ends[1]);
  for (uint32_t i = 0; i < request.streams; ++i) close(streams[i]);
  close(working_directory);
  int error = 0;
  const bool has_failed = read_all(ends[0], &error, sizeof error);
  close(ends[0]);
  if (has_failed) fail(control, error);
  report(control, Event::kStarted, process);
  Supervisor(control, process, head).run(children);
}

// --- the launcher
// ---------------------------------------------------------------------------------

void reap_supervisors(int) {
  const int error = errno;
  while (waitpid(-1, nullptr, WNOHANG) > 0) continue;
  errno = error;
}

// Receives the descriptors of a packet; returns their number.
int receive(int socket, LaunchRequest& request, int (&descriptors)[kMostDescriptors]) {
  iovec content{&request, sizeof request};
  alignas(cmsghdr) char ancillary[CMSG_SPACE(sizeof descriptors)];
  msghdr message{};
  message.msg_iov = &content;
  message.msg_iovlen = 1;
  message.msg_control = ancillary;
  message.msg_controllen = sizeof ancillary;
  ssize_t count = 0;
  do {
    count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (count < 0 && errno == EINTR);
  if (count <= 0) {
    // Each one ends when this process's parent closes its socket.
    while (wait(nullptr) > 0 || errno == EINTR) continue;
    _exit(0);
  }
  const cmsghdr* part = CMSG_FIRSTHDR(&message);
  if (part == nullptr || part->cmsg_type != SCM_RIGHTS) return 0;
  const size_t size = part->cmsg_len - CMSG_LEN(0);
  std::memcpy(descriptors, CMSG_DATA(part), size);
  return static_cast<int>(size / sizeof(int));
}

}  // namespace

void serve(int socket) {
  setsid();
  prctl(PR_SET_NAME, "bunraku-launch");
  ignore_requests_to_end();
  // Waits for them, so that their processor time is counted as this process's.
  struct sigaction reaping{};
  reaping.sa_handler = reap_supervisors;
  reaping.sa_flags = SA_RESTART;
  sigaction(SIGCHLD, &reaping, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  close_from(0, static_cast<unsigned>(socket) - 1);
  close_from(static_cast<unsigned>(socket) + 1, UINT_MAX);
  for (int stream = 0; stream < 3; ++stream) (void)open("/dev/null", O_RDWR);
  for (;;) {
    LaunchRequest request{};
    int descriptors[kMostDescriptors];
    const int count = receive(socket, request, descriptors);
    if (count >= 2 && static_cast<uint32_t>(count) == 2 + request.streams) {
      const pid_t supervisor = fork();
      if (supervisor == 0) {
        close(socket);
        supervise(request, descriptors);
      }
      if (supervisor < 0) report(descriptors[0], Event::kFailed, errno);
    }
    for (int i = 0; i < count; ++i) close(descriptors[i]);
  }
}

}  // namespace bunraku::supervision
