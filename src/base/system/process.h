// Running of other programs: without a shell, in a separate session, with a time limit and limited
// output, and ended together with all processes that they started.
//
//  A program is not a child of this process. The first start forks a small launcher, without this
//  process's descriptors and terminal; for each program it forks a supervisor, and that forks the
//  program. A supervisor adopts orphaned descendants of its program (it is a "subreaper"), holds
//  one end of a socket whose other end only this process has, and ends everything below it when
//  that end is closed: also when this process was killed with SIGKILL. If the supervisor itself is
//  killed, the program is killed too (PR_SET_PDEATHSIG).
//
//  All functions are thread-safe. A long-lived process should call prepare_processes() while it is
//  small, because the launcher keeps the memory of the time at which it was forked.
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

// The treatment of processes that a program has started, when it has ended itself.
enum class Descendants : uint8_t {
  kAwait,  // its output ends when all of them have closed it; then they are killed
  kEnd,    // they are killed at once
  kLeave   // its output ends with the program, and they continue: for programs that start services
};

// The user that a program runs as; the caller needs the privilege.
struct ProcessIdentity {
  uid_t user;
  gid_t group;
  std::vector<gid_t> groups;  // supplementary
};

// A descriptor of this process, passed to the program.
struct ProcessStream {
  int number;      // in the program
  int descriptor;  // in this process; not closed here
};

struct ProcessStart {
  // The program and its arguments. Without a slash it is searched in this process's PATH; a
  // relative path is relative to `directory`. A file that the system cannot execute is run by
  // /bin/sh.
  std::vector<std::string> words;
  // "NAME=value"; this process's when not given
  std::optional<std::vector<std::string>> environment;
  std::string directory;                    // this process's when empty
  std::optional<mode_t> umask;              // this process's when not given
  std::optional<ProcessIdentity> identity;  // this process's when not given
  uint64_t address_space = 0;               // the limit in bytes; 0: that of this process
  Descendants descendants = Descendants::kAwait;
  // Descriptors 0, 1 and 2 that are not listed are /dev/null. At most kMostProcessStreams.
  std::vector<ProcessStream> streams;
};
constexpr size_t kMostProcessStreams = 8;

// The end of a program.
struct ProcessEnd {
  int status = 0;  // exit status, when no signal ended it
  int signal = 0;  // 0: none
  // The status in a shell: the exit status, or 128 plus the signal.
  int shell_status() const { return signal != 0 ? 128 + signal : status; }
};

// The error when a program cannot be started: "No such file or directory".
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

// A running program. Not thread-safe.
class ChildProcess {
 public:
  // Throws ProcessError.
  explicit ChildProcess(const ProcessStart& start);
  // Ends the program; see end().
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t id() const { return id_; }
  // Becomes readable when wait() can make progress.
  int descriptor() const { return control_; }
  // Returns the end of the program; nothing when it is still running at the deadline. Its
  // descendants may still run.
  std::optional<ProcessEnd> wait(ProcessClock::time_point deadline);
  // Kills the program and its descendants (with Descendants::kLeave: its process group), and waits
  // for their end, for at most five seconds.
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
  kShown,  // written to this process's standard error
  kDropped
};

struct ProcessCall {
  ProcessStart start;  // its streams are set by run_process()
  std::string input;   // for standard input
  ErrorOutput errors = ErrorOutput::kSeparate;
  uint64_t largest_output = uint64_t{256} << 20;  // in bytes, for each of the two
  std::chrono::milliseconds time_limit{60'000};
};
// For programs that may run without a limit; the caller states the reason.
constexpr std::chrono::milliseconds kNoTimeLimit = std::chrono::hours(24 * 365);

enum class ProcessOutcome : uint8_t { kEnded, kNotStarted, kTimedOut, kOutputTooLarge };

struct ProcessResult {
  ProcessOutcome outcome = ProcessOutcome::kEnded;
  ProcessEnd end;  // signal 9 for a program that was ended here
  std::string output;
  std::string errors;
  std::string reason;  // the reason when it did not end by itself
};

// Runs a program to its end. Does not throw for failures of the program. Throws LimitError when the
// work of this thread exceeds its limits meanwhile; the program is then ended.
ProcessResult run_process(const ProcessCall& call);

// The path of a program: the name itself when it has a slash and is executable, else the first
// match in `path` (when null, the environment's PATH); empty when there is none.
std::string find_program(std::string_view name, const char* path = nullptr);

// Forks the launcher now.
void prepare_processes();
// Waits, at most two seconds, until the launcher and its descendants have ended, so that a caller
// that measures this process includes them. No program may be running; a later start forks another
// launcher.
void finish_processes();

}  // namespace bunraku
