// The console of `eval`, used through a pseudo-terminal.
#include <doctest/doctest.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/system/file_system.h"
#include "cli/frame/program.h"

using namespace bunraku;

namespace {

constexpr std::string_view kPrompt = "\n>> ";
constexpr std::string_view kMorePrompt = "\n > ";

// `bunraku eval` on a terminal of its own.
class Terminal {
 public:
  explicit Terminal(const std::string& home) {
    struct winsize size{};
    size.ws_row = 50;
    size.ws_col = 200;
    child_ = forkpty(&terminal_, nullptr, nullptr, &size);
    if (child_ == 0) {
      setenv("HOME", home.c_str(), 1);
      setenv("TERM", "xterm", 1);
      setenv("LC_ALL", "C", 1);
      unsetenv("XDG_STATE_HOME");
      const std::vector<std::string> words = {"eval", "--ruby", "never"};
      _exit(run_program(words));
    }
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal() {
    if (!is_open()) return;
    close(terminal_);
    if (!has_ended_) waitpid(child_, nullptr, 0);
  }

  bool is_open() const { return child_ > 0; }

  // The output from here up to and including `end`, or all output when the program ends earlier.
  std::string read_until(std::string_view end) {
    constexpr int kPatience = 20'000;  // milliseconds; a broken console must not hang the tests
    std::string shown;
    struct pollfd ready{terminal_, POLLIN, 0};
    while (shown.find(end) == shown.npos && poll(&ready, 1, kPatience) > 0) {
      char c = 0;
      if (read(terminal_, &c, 1) <= 0) break;
      shown += c;
    }
    return shown;
  }

  void type(std::string_view text) { REQUIRE(write(terminal_, text.data(), text.size()) > 0); }
  std::string answer_to(std::string_view line, std::string_view end = kPrompt) {
    type(std::string(line) + "\r");
    return read_until(end);
  }

  // Sends Ctrl-D again from time to time, because it is lost before the console reads its next
  // line.
  int exit_code() {
    constexpr int kPatience =
        200;  // tenths of a second; a console that stays must not hang the tests
    int status = 0;
    has_ended_ = true;
    for (int i = 0; waitpid(child_, &status, WNOHANG) != child_; ++i) {
      if (i == kPatience) {
        kill(child_, SIGKILL);
        waitpid(child_, &status, 0);
        return -1;
      }
      if (i % 10 == 9) type("\x04");
      usleep(100'000);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  int terminal_ = -1;
  pid_t child_ = -1;
  bool has_ended_ = false;
};

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != text.npos;
}

struct Home {
  Home() {
    char name[] = "/tmp/bunraku-test-XXXXXX";
    directory = mkdtemp(name);
  }
  Home(const Home&) = delete;
  Home& operator=(const Home&) = delete;
  ~Home() { std::filesystem::remove_all(directory); }
  std::string directory;
};

}  // namespace

TEST_CASE("console: what is typed is evaluated, with history, completion and interrupts") {
  const Home home;
  {
    Terminal console(home.directory);
    if (!console.is_open()) {
      MESSAGE("skipped: this system has no pseudo-terminals");
      return;
    }
    CHECK(has(console.read_until(kPrompt), ":help lists what can be typed here"));
    CHECK(has(console.answer_to("1 + 2"), "\033[36m3\033[0m"));
    CHECK(has(console.answer_to("$word = 'äöü'"), "\033[32m\"äöü\"\033[0m"));

    // Several lines.
    console.answer_to("if true {", kMorePrompt);
    console.answer_to("$word.upcase", kMorePrompt);
    CHECK(has(console.answer_to("}"), "\"ÄÖÜ\""));

    // Commands.
    CHECK(has(console.answer_to(":help"), ":type EXPR"));
    CHECK(has(console.answer_to(":type [1]"), "\033[33mTuple\033[0m[\033[33mInteger\033[0m["));
    CHECK(has(console.answer_to(":dump 1 + $x"), "(var"));
    CHECK(has(console.answer_to(":nosuch"), "there is no command :nosuch"));

    // Mistakes do not end the console.
    CHECK(has(console.answer_to("nosuch(1)"), "Unknown function: 'nosuch'"));
    CHECK(has(console.answer_to("$nosuch"), "Unknown variable: 'nosuch'"));
    CHECK(has(console.answer_to("1 )"), "Syntax error at ')'"));

    // Completion of functions, types, variables and commands.
    CHECK(has(console.answer_to("camelc\t('a_b')"), "\"AB\""));
    CHECK(has(console.answer_to("SemVerR\t"), "\033[33mSemVerRange"));
    CHECK(has(console.answer_to("$wor\t.size"), "\033[36m3\033[0m"));
    CHECK(has(console.answer_to(":ty\t 'a'"), "\033[33mString\033[0m"));

    // Ctrl-C drops the line, and ends a running evaluation.
    console.type("fail('never') + \x03");
    console.read_until(kPrompt);
    console.answer_to("[1,", kMorePrompt);
    console.type("\x03");
    console.read_until(kPrompt);
    console.type("Integer[1, 9000000000].each |$i| { if $i == 1 { notice('running') } }\r");
    console.read_until("Class[main]): running");
    console.type("\x03");
    CHECK(has(console.read_until(kPrompt), "The evaluation was interrupted"));
    CHECK(has(console.answer_to("'still ' + 'x'"), "cannot be converted to Numeric"));

    // Ctrl-D ends the console.
    console.answer_to("'the last'");
    console.type("\x04");
    console.read_until("nothing more");
    CHECK(console.exit_code() == 0);
  }
  // The next console has the history.
  Terminal console(home.directory);
  console.read_until(kPrompt);
  console.type("\033[A");
  CHECK(has(console.answer_to(""), "\"the last\""));
  console.type(":quit\r");
  console.read_until("nothing more");
  CHECK(console.exit_code() == 0);
}
