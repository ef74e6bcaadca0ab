// Workers that are killed at any moment: a call returns its answer or one clear error, nothing
// else.

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "base/diagnostics/diagnostic_renderer.h"
#include "evaluation/evaluator.h"
#include "ruby/worker/session.h"

namespace bunraku {
namespace {

// The child processes of this one, running or dead.
std::vector<pid_t> children() {
  std::vector<pid_t> found;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream list(task.path() / "children");
    for (pid_t child; list >> child;) found.push_back(child);
  }
  return found;
}

// Kills children at random moments.
class Killer {
 public:
  explicit Killer(unsigned seed) : thread_([this, seed] { run(seed); }) {}
  ~Killer() {
    is_done_ = true;
    thread_.join();
  }
  int rounds() const { return rounds_; }

 private:
  void run(unsigned seed) {
    std::mt19937 random(seed);
    while (!is_done_) {
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 400'000));
      for (const pid_t child : children()) kill(child, SIGKILL);
      ++rounds_;
    }
  }

  std::atomic<bool> is_done_ = false;
  std::atomic<int> rounds_ = 0;
  std::thread thread_;
};

Value call(RubySession& session, std::string_view method, std::span<const Value> arguments) {
  RubyRequest request;
  request.method = method;
  request.arguments = arguments;
  request.subject = "The test";
  return session.call(request);
}

TEST_CASE("a worker killed at any moment costs one clear error at most") {
  const size_t before = children().size();
  constexpr int kRounds = 12;
  constexpr int kCalls = 100;
  int compilations = 0, answers = 0, errors = 0;
  {
    const Killer killer(42);
    for (int i = 0; killer.rounds() < kRounds; ++i, ++compilations) {
      Arena arena;
      Evaluator evaluator(arena, Host{});
      RubySession session{RubyOptions{}};
      session.set_evaluator(evaluator);
      evaluator.host().ruby = &session;
      evaluator.top_scope().set(Name("x"), Value::integer(i));
      for (int j = 0; j < kCalls; ++j) {
        const Value arguments[] = {Value::integer(i), Value::string("text"), Value::integer(j)};
        try {
          const Value answer = call(session, "core.echo", arguments);
          REQUIRE(answer.is_array());
          CHECK(identical(answer, Value::array(arguments)));
          ++answers;
        } catch (const EvaluationError& error) {
          CHECK(one_line(error.diagnostic()) ==
                "The test: the Ruby process was killed by signal 9 while it ran");
          ++errors;
        }
      }
    }
  }
  CHECK(answers + errors == compilations * kCalls);
  CHECK(answers > 0);
  // The remaining children are idle workers, as many as the pool may keep. At most the last one may
  // be dead, killed after its last request.
  const std::vector<pid_t> left = children();
  CHECK(std::ranges::count_if(
            left, [](pid_t child) { return waitpid(child, nullptr, WNOHANG) != 0; }) <= 1);
  CHECK(children().size() <= before + 16);
}

}  // namespace
}  // namespace bunraku
