// Measures the time and memory of compiling catalogs in a warm process.
//
//   catalog_bench [--times N] [--why] ENVIRONMENTPATH ENVIRONMENT FACTS NODE...
//   catalog_bench --repeat N ENVIRONMENTPATH ENVIRONMENT FACTS NODE
//
// Prints a line for each node: its resources, the best and the median time of compiling it in
// microseconds, the time of writing it as JSON, and the resident bytes of the process while the
// catalog exists. With --why the origin of each value is recorded, as for `catalog why`. With
// --repeat one node is compiled repeatedly, and the resident bytes are printed at intervals.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostic_renderer.h"
#include "base/diagnostics/log.h"
#include "base/formats/json.h"
#include "catalog/compiler/catalog_json.h"
#include "catalog/compiler/provenance.h"
#include "compilation/compilation.h"
#include "site/node/facts.h"

namespace {

using namespace bunraku;
using namespace bunraku::compilation;
struct Options {
  size_t times = 15;
  size_t repeat = 0;
  bool why = false;
  bool wall = false;  // measure elapsed time, which includes that of Ruby workers
  std::vector<std::string> words;
};

struct Measurement {
  size_t resources = 0;
  size_t bytes = 0;
  double json_time = 0;
  std::vector<double> times;  // microseconds, sorted
};

// Accepts the records that a program's log accepts, so that the same work is done.
class SilentLog final : public LogSink {
 public:
  bool takes(LogLevel level) const override { return level >= LogLevel::kNotice; }
  void log(const LogRecord&) override {}
  void log_fatal(const FatalRecord&) override {}
};

// The resident memory of the process, whatever allocated it.
size_t resident_bytes() {
  size_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

// In microseconds. Processor time of the thread, so other programs do not matter.
double time_of(clockid_t clock) {
  timespec now;
  ::clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

std::string read_text(const std::string& path) {
  const std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

class Bench {
 public:
  explicit Bench(const Options& options)
      : facts_name_(options.words[2]),
        facts_(read_text(facts_name_)),
        clock_(options.wall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID),
        service_(settings(options), {}, {}) {}

  Measurement measure(const std::string& node, size_t times, bool why) {
    Measurement result;
    for (size_t i = 0; i < times; ++i) {
      Compilation compilation(service_, input(node), &log_);
      Provenance provenance;
      RecordingData data(compilation.lookup(), provenance);
      if (why) compilation.compiler().record(provenance, data);
      const double started = time_of(clock_);
      compilation.compile();
      result.times.push_back(time_of(clock_) - started);
      result.bytes = resident_bytes();
      result.resources = compilation.compiler().catalog().resources().size();
      if (i + 1 == times) result.json_time = time_of_json(compilation);
    }
    std::ranges::sort(result.times);
    return result;
  }

  void compile(const std::string& node) {
    Compilation compilation(service_, input(node), &log_);
    compilation.compile();
  }

 private:
  NodeInput input(const std::string& node) const {
    NodeInput input;
    input.name = node;
    input.facts = [this](Arena& arena) { return read_facts(arena, facts_, facts_name_); };
    return input;
  }
  static Settings settings(const Options& options) {
    return Settings(
        {{{"environmentpath", options.words[0]}, {"environment", options.words[1]}}, "server"});
  }
  double time_of_json(Compilation& compilation) const {
    const double started = time_of(clock_);
    std::string text;
    JsonWriter json(text, JsonForm::kCompact);
    write_catalog(json, compilation.compiler(), {});
    return time_of(clock_) - started;
  }

  std::string facts_name_;
  std::string facts_;
  clockid_t clock_;
  SilentLog log_;
  Service service_;
};

void measure_nodes(Bench& bench, const Options& options) {
  for (size_t i = 3; i < options.words.size(); ++i) {
    const Measurement result = bench.measure(options.words[i], options.times, options.why);
    const double best = result.times.front();
    std::printf(
        "%-10s %8zu resources %12.1f us %12.1f us %8.3f us/resource %10.1f us json %12zu bytes\n",
        options.words[i].c_str(), result.resources, best, result.times[result.times.size() / 2],
        best / static_cast<double>(result.resources), result.json_time, result.bytes);
    std::fflush(stdout);
  }
}

void repeat_node(Bench& bench, const Options& options) {
  for (size_t i = 1; i <= options.repeat; ++i) {
    bench.compile(options.words[3]);
    if (i == 1 || i % (options.repeat / 10 + 1) == 0 || i == options.repeat) {
      std::printf("%zu compilations: %zu bytes resident\n", i, resident_bytes());
    }
  }
}

Options parse(int count, char** words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    if (word == "--times" && i + 1 < count) {
      options.times = std::strtoul(words[++i], nullptr, 10);
    } else if (word == "--repeat" && i + 1 < count) {
      options.repeat = std::strtoul(words[++i], nullptr, 10);
    } else if (word == "--wall") {
      options.wall = true;
    } else if (word == "--why") {
      options.why = true;
    } else {
      options.words.emplace_back(word);
    }
  }
  if (options.words.size() < 4 || options.times == 0) {
    std::fprintf(stderr,
                 "usage: catalog_bench [--times N] [--wall] [--why] [--repeat N] ENVIRONMENTPATH "
                 "ENVIRONMENT "
                 "FACTS "
                 "NODE...\n");
    std::exit(2);
  }
  return options;
}

}  // namespace

int main(int count, char** words) {
  const Options options = parse(count, words);
  int exit_code = 0;
  auto task = [&] {
    try {
      Bench bench(options);
      if (options.repeat > 0) {
        repeat_node(bench, options);
      } else {
        measure_nodes(bench, options);
      }
    } catch (const EvaluationError& error) {
      std::fprintf(stderr, "%s\n", one_line(error.diagnostic()).c_str());
      exit_code = 1;
    }
  };
  run_on_large_stack(task);
  return exit_code;
}
