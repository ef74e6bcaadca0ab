// Running other programs: started without a shell, in a session apart from ours, with a time limit
// and bounded output, and ended with all that they started.
//
// A program is not a child of this process. The first start forks a small launcher, which has none
// of our descriptors and no terminal; for each program it forks a supervisor, and that forks the
// program. A supervisor adopts what its program leaves behind (it is a "subreaper"), holds one end
// of a socket whose other end only this process has, and ends everything below it when that end is
// closed: also when this process was killed with SIGKILL. Were the supervisor itself killed, the
// program would go with it (PR_SET_PDEATHSIG).
//
// All functions may be called from any thread. A long-lived process calls prepare_processes() while
// it is small, since the launcher keeps the memory of the moment in which it was forked.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bunraku {

// What becomes of the processes that a program has started, once it has ended itself.
enum class Descendants : uint8_t {
  kAwait,  // its output ends when all of them have closed it; then they are killed
  kEnd,    // they are killed at once
  kLeave   // its output ends with the program, and they live on: for programs that start services
};

// As whom a program runs; the caller needs the privilege.
struct ProcessIdentity {
  uid_t user;
  gid_t group;
  std::vector<gid_t> groups;  // supplementary
};

// A descriptor of ours as one of the program's.
struct ProcessStream {
  int number;      // in the program
  int descriptor;  // ours; not closed here
};

struct ProcessStart {
  // The program and its arguments. Without a slash it is looked for along our PATH; a relative path
  // counts from `directory`. What the system does not know how to run is given to /bin/sh.
  std::vector<std::string> words;
  std::optional<std::vector<std::string>> environment;  // "NAME=value"; ours when not given
  std::string directory;                                // ours when empty
  std::optional<mode_t> umask;                          // ours when not given
  std::optional<ProcessIdentity> identity;              // ours when not given
  uint64_t address_space = 0;                           // bytes it may have; 0: as many as we
  Descendants descendants = Descendants::kAwait;
  // Descriptors 0, 1 and 2 that are not among them are /dev/null. At most kMostProcessStreams.
  std::vector<ProcessStream> streams;
};
constexpr size_t kMostProcessStreams = 8;

// How a program has ended.
struct ProcessEnd {
  int status = 0;  // exit status, when no signal ended it
  int signal = 0;  // 0: none
  // As a shell counts: the exit status, or 128 and the signal.
  int shell_status() const { return signal != 0 ? 128 + signal : status; }
};

// A program cannot be started: "No such file or directory".
class ProcessError : public std::exception {
 public:
  explicit ProcessError(int error);
  const char* what() const noexcept override { return reason_.c_str(); }
  int error() const { return error_; }  // errno

 private:
  int error_;
  std::string reason_;
};

using ProcessClock = std::chrono::steady_clock;

// A program that runs. The object is used by one thread at a time.
class ChildProcess {
 public:
  // Throws ProcessError.
  explicit ChildProcess(const ProcessStart& start);
  // Ends it; see end().
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t id() const { return id_; }
  // Becomes readable when there is something for wait().
  int descriptor() const { return control_; }
  // How it ended; nothing when it has not until the deadline. What it started may still run.
  std::optional<ProcessEnd> wait(ProcessClock::time_point deadline);
  // Kills it and what it started (with Descendants::kLeave: its process group), and waits until
  // they are gone, for five seconds at most.
  void end();

 private:
  bool read_report(ProcessClock::time_point deadline);

  int control_ = -1;
  pid_t id_ = -1;
  std::optional<ProcessEnd> end_;
  bool is_gone_ = false;  // the supervisor has closed its end
};

enum class ErrorOutput : uint8_t {
  kSeparate,
  kIntoOutput,
  kShown,  // written to our own standard error
  kDropped
};

struct ProcessCall {
  ProcessStart start;  // its streams need not be set
  std::string input;   // bytes of standard input
  ErrorOutput errors = ErrorOutput::kSeparate;
  uint64_t largest_output = uint64_t{256} << 20;  // bytes of each of the two
  std::chrono::milliseconds time_limit{60'000};
};
// For what may run as long as it likes; its caller says why.
constexpr std::chrono::milliseconds kNoTimeLimit = std::chrono::hours(24 * 365);

enum class ProcessOutcome : uint8_t { kEnded, kNotStarted, kTimedOut, kOutputTooLarge };

struct ProcessResult {
  ProcessOutcome outcome = ProcessOutcome::kEnded;
  ProcessEnd end;  // of a program that was ended by us: signal 9
  std::string output;
  std::string errors;
  std::string reason;  // when it did not come to its own end: why
};

// Runs a program to its end. Does not throw for what the program does. Throws LimitError when the
// work of this thread goes over its limits in the meantime; the program is ended.
ProcessResult run_process(const ProcessCall& call);

// The path of a program: itself when it has a slash and may be executed, else the first along
// `path` (PATH of our environment when null); empty when there is none.
std::string find_program(std::string_view name, const char* path = nullptr);

// Forks the launcher now.
void prepare_processes();
// Waits, two seconds at most, until the launcher and what it has started have ended, so that the
// caller that measures this process counts them with it. Nothing may be running any more; a later
// start forks another launcher.
void finish_processes();

}  // namespace bunraku
