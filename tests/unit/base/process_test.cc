#include "base/system/process.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <thread>

#include "base/system/limits.h"

using namespace bunraku;

namespace {

ProcessResult run_shell(const std::string& script, ProcessCall call = {}) {
  call.start.words = {"sh", "-c", script};
  return run_process(call);
}

bool is_running(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string number, name, state;
  // A zombie that waits for its parent does not count as alive.
  return static_cast<bool>(file >> number >> name >> state) && state != "Z" && state != "X";
}

bool ends_soon(pid_t process) {
  for (int i = 0; i < 500 && is_running(process); ++i) usleep(10'000);
  return !is_running(process);
}

// The processes in a file with their numbers, as soon as it has `count` of them.
std::vector<pid_t> listed(const std::string& path, size_t count) {
  std::vector<pid_t> processes;
  for (int i = 0; i < 500 && processes.size() < count; ++i) {
    processes.clear();
    std::ifstream file(path);
    for (pid_t process; file >> process;) processes.push_back(process);
    if (processes.size() < count) usleep(10'000);
  }
  return processes;
}

struct TemporaryFile {
  TemporaryFile() { close(mkstemp(path.data())); }
  ~TemporaryFile() { unlink(path.c_str()); }
  std::string path = "/tmp/process-test-XXXXXX";
};

// A shell command that starts a child, a grandchild in a session of its own, and an orphan, and
// writes their numbers to the file.
std::string family(const std::string& file) {
  return "echo $$ >> " + file + "; sleep 100 & echo $! >> " + file + "; setsid sh -c 'echo $$ >> " +
         file + "; exec sleep 100' & (sleep 100 & echo $! >> " + file + "); ";
}

}  // namespace

TEST_CASE("a program's output, errors and status are caught apart") {
  const ProcessResult result = run_shell("echo out; echo err >&2; exit 3");
  CHECK(result.outcome == ProcessOutcome::kEnded);
  CHECK(result.output == "out\n");
  CHECK(result.errors == "err\n");
  CHECK(result.end.status == 3);
  ProcessCall merged;
  merged.errors = ErrorOutput::kIntoOutput;
  CHECK(run_shell("echo out; echo err >&2", merged).output == "out\nerr\n");
  CHECK(run_shell("kill -TERM $$").end.shell_status() == 128 + SIGTERM);
}

TEST_CASE("a program gets its input, directory, environment and umask") {
  ProcessCall call;
  call.input = std::string(300'000, 'x');
  call.start.directory = "/usr";
  call.start.environment = {"PATH=/usr/bin:/bin", "A=b c"};
  call.start.umask = 077;
  CHECK(run_shell("wc -c; pwd; echo $A; umask; env | wc -l", call).output ==
        "300000\n/usr\nb c\n0077\n" + std::string("3\n"));
}

TEST_CASE("a program has only the descriptors that it was given") {
  const int leaked = open("/dev/null", O_RDONLY);  // not close-on-exec
  const ProcessResult result = run_shell("ls /proc/$$/fd; ls -l /proc/$$/fd/0");
  close(leaked);
  CHECK(result.output.starts_with("0\n1\n2\n"));
  CHECK(result.output.find("/dev/null") != std::string::npos);
  CHECK(result.output.find("\n3\n") == std::string::npos);
  CHECK(run_shell("sleep 0; ps -o tty= -p $$ | tr -d ' '").output == "?\n");
}

TEST_CASE("what cannot be started says why") {
  ProcessCall call;
  call.start.words = {"/does/not/exist"};
  CHECK(run_process(call).outcome == ProcessOutcome::kNotStarted);
  CHECK(run_process(call).reason == "No such file or directory");
  call.start.words = {"no-such-program-anywhere"};
  CHECK(run_process(call).reason == "No such file or directory");
  call.start.words = {"/etc/passwd"};
  CHECK(run_process(call).reason == "Permission denied");
  call.start.words = {"true", std::string(size_t{3} << 20, 'x')};
  CHECK(run_process(call).reason == "Argument list too long");
  call.start.words = {"true"};
  call.start.directory = "/does/not/exist";
  CHECK(run_process(call).reason == "No such file or directory");
  call.start.words = {};
  CHECK(run_process(call).reason == "Invalid argument");
}

TEST_CASE("a script without an interpreter is the shell's") {
  const TemporaryFile script;
  std::ofstream(script.path) << "echo \"script $1\"\n";
  chmod(script.path.c_str(), 0755);
  ProcessCall call;
  call.start.words = {script.path, "a b"};
  CHECK(run_process(call).output == "script a b\n");
}

TEST_CASE("a program that takes too long ends with all that it has started") {
  const TemporaryFile file;
  ProcessCall call;
  call.time_limit = std::chrono::milliseconds(1000);
  const ProcessResult result = run_shell(family(file.path) + "sleep 100", call);
  CHECK(result.outcome == ProcessOutcome::kTimedOut);
  CHECK(result.reason == "did not end within 1 seconds");
  const std::vector<pid_t> processes = listed(file.path, 4);
  REQUIRE(processes.size() == 4);
  for (const pid_t process : processes) CHECK(!is_running(process));
}

TEST_CASE("a program ends with the work that it is part of") {
  const TemporaryFile late, cancelled;
  {
    const WorkLimits limits({std::chrono::milliseconds(300), 0, nullptr});
    CHECK_THROWS_AS(run_shell("echo $$ > " + late.path + "; sleep 60"), LimitError);
    CHECK(ends_soon(listed(late.path, 1).at(0)));
  }
  auto is_cancelled = std::make_shared<std::atomic<bool>>(false);
  std::thread canceller([&] {
    listed(cancelled.path, 1);
    *is_cancelled = true;
  });
  const WorkLimits limits({std::chrono::milliseconds(0), 0, is_cancelled});
  CHECK_THROWS_AS(run_shell("echo $$ > " + cancelled.path + "; sleep 60"), LimitError);
  canceller.join();
  CHECK(ends_soon(listed(cancelled.path, 1).at(0)));
}

TEST_CASE("what a program leaves behind is ended, or lives on where that is asked for") {
  const TemporaryFile file;
  run_shell(family(file.path) + "exec > /dev/null 2>&1", [] {
    ProcessCall call;
    call.time_limit = std::chrono::milliseconds(2000);
    return call;
  }());
  for (const pid_t process : listed(file.path, 4)) CHECK(ends_soon(process));

  {
    ProcessCall call;
    call.start.descendants = Descendants::kEnd;
    const ProcessResult result = run_shell("sleep 100 & echo $!", call);
    CHECK(result.outcome == ProcessOutcome::kEnded);
    CHECK(ends_soon(std::atoi(result.output.c_str())));
  }
  ProcessCall call;
  call.start.descendants = Descendants::kLeave;
  const ProcessResult result = run_shell("sleep 100 & echo $!", call);
  CHECK(result.outcome == ProcessOutcome::kEnded);
  const pid_t left = std::atoi(result.output.c_str());
  CHECK(is_running(left));
  kill(left, SIGKILL);
}

TEST_CASE("too much output ends a program") {
  ProcessCall call;
  call.largest_output = 1 << 20;
  const ProcessResult result = run_shell("yes", call);
  CHECK(result.outcome == ProcessOutcome::kOutputTooLarge);
  CHECK(result.reason == "wrote more than 1 MB");
}

TEST_CASE("a process that is killed takes its programs along") {
  const TemporaryFile file;
  const pid_t child = fork();
  if (child == 0) {
    // A separate launcher, because the one of this process has another parent.
    execl("/proc/self/exe", "unit_tests", "--test-case=helper: starts a family", "--no-skip",
          nullptr);
    _exit(127);
  }
  REQUIRE(child > 0);
  const std::string place = "/tmp/process-test-family-" + std::to_string(child);
  const std::vector<pid_t> processes = listed(place, 4);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  unlink(place.c_str());
  REQUIRE(processes.size() == 4);
  for (const pid_t process : processes) CHECK(ends_soon(process));
}

TEST_CASE("helper: starts a family" * doctest::skip()) {
  run_shell(family("/tmp/process-test-family-" + std::to_string(getpid())) + "sleep 100");
}

TEST_CASE("programs can be found along a path") {
  CHECK(find_program("sh", "/does/not/exist:/bin") == "/bin/sh");
  CHECK(find_program("/bin/sh") == "/bin/sh");
  CHECK(find_program("passwd", "/etc").empty());
  CHECK(find_program("", "/etc").empty());
}
