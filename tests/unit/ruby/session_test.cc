// Workers: values in both directions, errors, limits and deaths. Requires the system's ruby.

#include "ruby/worker/session.h"

#include <doctest/doctest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>

#include "base/diagnostics/diagnostic_renderer.h"
#include "evaluation/evaluator.h"
#include "types/interpolation.h"
#include "types/type_text.h"

namespace bunraku {
namespace {

struct Fixture {
  explicit Fixture(RubyOptions options = {}) : session(std::move(options)) {
    session.set_evaluator(evaluator);
    evaluator.host().ruby = &session;
  }

  Value call(std::string_view method, std::initializer_list<Value> arguments) {
    RubyRequest request;
    request.method = method;
    request.arguments = arena.copy(std::span<const Value>(arguments.begin(), arguments.size()));
    request.subject = "The test";
    return session.call(request);
  }
  // Runs code from a file.
  Value run(std::string_view code) {
    static int number = 0;
    const auto path = std::filesystem::temp_directory_path() /
                      ("bunraku_session_test_" + std::to_string(getpid()) + "_" +
                       std::to_string(number++) + ".rb");
    std::ofstream(path) << code;
    const struct Remove {
      ~Remove() { std::filesystem::remove(path); }
      std::filesystem::path path;
    } remove{path};
    return call("core.run", {Value::string(arena, path.string())});
  }
  std::string error_of(std::string_view code) {
    try {
      run(code);
    } catch (const EvaluationError& error) {
      return one_line(error.diagnostic());
    }
    return "no error";
  }

  Arena arena;
  Evaluator evaluator{arena, Host{}};
  RubySession session;
};

TEST_CASE("values come back as they went") {
  Fixture fixture;
  Arena& arena = fixture.arena;
  HashBuilder hash(arena);
  hash.set("a", Value::integer(1));
  hash.set(Value::integer(2), Value::array(arena, {Value(), Value::default_value()}));
  const Value values[] = {
      Value(),
      Value::boolean(true),
      Value::integer(0),
      Value::integer(-129),
      Value::integer((1 << 30) - 1),
      Value::integer(1 << 30),
      Value::integer(kMaxInteger),
      Value::integer(kMinInteger),
      Value::floating(0.1),
      Value::floating(-1e300),
      Value::string("grüße"),
      Value::string(""),
      Value::regexp("a.c\\/d"),
      Value::binary(std::string_view("\0\xff\x01", 3)),
      Value::sensitive(arena, Value::string("secret")),
      Value::timespan(1'500'000'000),
      Value::timestamp(-5),
      hash.finish(),
      Value::type(parse_type(arena, "Array[Variant[Integer[1, 2], String]]", nullptr)),
      Value::type(parse_type(arena, "File['/tmp/x']", nullptr)),
      Value::type(parse_type(arena, "Class['a::b']", nullptr))};
  for (const Value value : values) {
    const Value echoed = fixture.call("core.echo", {value, value});
    REQUIRE(echoed.is_array());
    REQUIRE(echoed.as_array().size() == 2);
    CHECK(identical(echoed.as_array()[0], value));
    CHECK(identical(echoed.as_array()[1], value));
  }
}

TEST_CASE("what Ruby code raises") {
  Fixture fixture;
  CHECK(fixture.error_of("raise ArgumentError, 'no good'") == "no good");
  CHECK(fixture.error_of("exit 3") == "Ruby code tried to end the process (exit)");
  CHECK(fixture.error_of("2**64") ==
        "Use of a Ruby Integer outside of Puppet Integer max range, got '0x10000000000000000'");
  // A Ruby object is passed on with its text.
  CHECK(interpolated(fixture.run("1..3")) == "1..3");
  CHECK(interpolated(fixture.run("[Class]")) == "[Class]");
  CHECK(fixture.error_of("Bunraku.ask('nothing')") ==
        "The Ruby worker sent a message that cannot be read");
  // The worker has survived all of it.
  CHECK(fixture.run("puts 'hidden'; $stderr.puts 'hidden'; 1").as_integer() == 1);
}

TEST_CASE("a worker that dies is replaced once, and then reported") {
  Fixture fixture;
  CHECK(fixture.run("Process.pid").as_integer() > 0);
  const std::string error = fixture.error_of("Process.kill(:KILL, Process.pid); sleep");
  CHECK(error == "The test: the Ruby process was killed by signal 9 while it ran");
  const auto process = static_cast<pid_t>(fixture.run("Process.pid").as_integer());
  kill(process, SIGKILL);
  CHECK(fixture.call("core.echo", {Value::integer(7)}).as_array()[0].as_integer() == 7);
}

TEST_CASE("limits") {
  RubyOptions options;
  options.timeout = std::chrono::milliseconds(1500);
  Fixture slow(options);
  CHECK(slow.error_of("loop {}") == "The test did not end within 1.5 seconds (--ruby-timeout)");
  CHECK(slow.run("1").as_integer() == 1);

  options.use = RubyUse::kNever;
  Fixture never(options);
  CHECK(never.error_of("1") == "The test needs Ruby: the option '--ruby never' is set");
  options.use = RubyUse::kAuto;
  options.program = "no-such-ruby";
  Fixture absent(options);
  CHECK(absent.error_of("1") ==
        "The test needs Ruby: there is no program 'no-such-ruby' to run it");

  Fixture large;
  CHECK(large.error_of("'x' * (3 << 30)") == "Ruby code ran out of memory");
}

}  // namespace
}  // namespace bunraku
