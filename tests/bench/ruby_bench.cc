// Measures the time of a call to a warm worker and back.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "evaluation/evaluator.h"
#include "ruby/worker/session.h"

namespace bunraku {
namespace {

using Clock = std::chrono::steady_clock;

// The median and the 99th percentile of `count` calls, in microseconds.
void measure(RubySession& session, const char* what, std::span<const Value> arguments, int count) {
  RubyRequest request;
  request.method = "core.echo";
  request.arguments = arguments;
  request.subject = "The measurement";
  std::vector<double> times;
  for (int i = 0; i < count; ++i) {
    const Clock::time_point begin = Clock::now();
    session.call(request);
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
  }
  std::ranges::sort(times);
  std::printf("%-28s %8.1f us in the middle, %8.1f us for 99 of 100\n", what,
              times[times.size() / 2], times[times.size() * 99 / 100]);
}

void run() {
  Arena arena;
  Evaluator evaluator(arena, Host{});
  RubySession session{RubyOptions{}};
  session.set_evaluator(evaluator);
  evaluator.host().ruby = &session;
  const Value small[] = {Value::string("apache"), Value::integer(42), Value()};
  HashBuilder hash(arena);
  for (int i = 0; i < 10'000; ++i) {
    hash.set(Value::string(arena, "key" + std::to_string(i)),
             Value::string("a value of some size"));
  }
  const Value large[] = {hash.finish()};
  const Clock::time_point begin = Clock::now();
  measure(session, "(warming up)", small, 200);
  std::printf("%-28s %8.1f ms\n", "the first 200 with the start",
              std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
  measure(session, "small arguments", small, 20'000);
  measure(session, "a hash of 10,000", large, 100);
}

}  // namespace
}  // namespace bunraku

int main() {
  bunraku::run();
}
