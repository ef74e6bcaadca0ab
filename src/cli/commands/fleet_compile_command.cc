// `fleet compile`
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "base/system/file_system.h"
#include "base/system/file_writer.h"
#include "base/system/limits.h"
#include "base/system/safe_name.h"
#include "base/system/terminal.h"
#include "base/system/thread_pool.h"
#include "base/text/counts.h"
#include "cli/commands/commands.h"
#include "cli/commands/watch.h"
#include "cli/frame/fleet_options.h"
#include "cli/frame/missing_modules.h"
#include "cli/frame/node_compilation.h"
#include "cli/frame/profile_option.h"
#include "cli/frame/session.h"
#include "compilation/fleet_compilation.h"
#include "compilation/limit_errors.h"
#include "fleet/ordered_run.h"
#include "fleet/report.h"

namespace bunraku {

using compilation::CatalogUse;
using compilation::CompiledNode;
using compilation::ExportQuestion;
using compilation::FleetExports;
using compilation::Service;

namespace {

struct FleetCompileOptions : FleetOptions {
  std::string output;
  bool fails_fast = false;
  bool is_summary_only = false;
  bool lists_nodes = false;
  std::string cache;
  std::string profile;
  bool watches = false;
};

// Measures the time and processors used since it was made.
class Meter {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
  }
  double processors() const {
    const double spent = seconds();
    return spent > 0 ? (processor_seconds() - used_) / spent : 0;
  }

 private:
  static double processor_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
  }

  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  double used_ = processor_seconds();
};

// Above this number, nodes that compile are not listed, because problems would be hard to find.
constexpr size_t kListedNodes = 50;

std::unique_ptr<FleetReport> make_report(const FleetCompileOptions& options, size_t nodes,
                                         Session& session) {
  const FleetOutput output = [&session](std::string_view text) { session.print(text); };
  const std::string_view format = session.format_or("text");
  if (format == "json") return make_json_report(output);
  if (format == "junit") return make_junit_report(output);
  if (format == "github") return make_github_report(output);
  const bool shows_nodes =
      options.lists_nodes || (!options.is_summary_only && nodes <= kListedNodes);
  return make_text_report(output, {session.has_color_output(), shows_nodes, absolute_path(".")});
}

NodeProblem output_problem(const std::string& directory, const FileError& error) {
  NodeProblem problem;
  problem.text = fmt::format("Could not write a catalog to {}: {}", directory, error.reason());
  return problem;
}

// Writes the catalog to a file that appears only when it is complete.
void write_catalog_file(const std::string& directory, CompiledNode& node) {
  NodeOutcome& outcome = node.outcome;
  if (!outcome.is_compiled) return;
  try {
    write_file(join_path(directory, safe_file_name(outcome.name, ".json")), node.catalog,
               kSecretCacheFile);
  } catch (const FileError& error) {
    outcome.is_compiled = false;
    outcome.problems.push_back(output_problem(directory, error));
  }
}

// Removes the catalog of an earlier round. A name that is not a valid file name has none.
void remove_catalog_file(const std::string& directory, const std::string& node) {
  try {
    std::remove(join_path(directory, safe_file_name(node, ".json")).c_str());
  } catch (const FileError&) {
    return;
  }
}

// Answers for single nodes: from the cache if they are still valid, otherwise compiled and cached.
class Answers {
 public:
  Answers(Service& service, NodeCache* cache, const FleetExports* exports, std::string output,
          RequestLimits limits)
      : service_(service),
        cache_(cache),
        exports_(exports),
        output_(std::move(output)),
        limits_(std::move(limits)) {}

  CompiledNode answer(const FleetNode& node) {
    std::optional<CompiledNode> known = from_cache(node);
    if (!known) return compiled_again(node);
    if (!output_.empty()) write_catalog_file(output_, *known);
    return std::move(*known);
  }
  // Compiles without the cache, whose answer depends on other nodes' earlier exports.
  CompiledNode compiled_again(const FleetNode& node) {
    CompiledNode compiled = compile(node);
    if (cache_ != nullptr) keep(node, compiled);
    if (output_.empty()) return compiled;
    write_catalog_file(output_, compiled);
    if (!compiled.outcome.is_compiled) remove_catalog_file(output_, node.name);
    return compiled;
  }

 private:
  std::optional<CompiledNode> from_cache(const FleetNode& node) {
    if (cache_ == nullptr) return std::nullopt;
    std::optional<CachedNode> known = cache_->find(node);
    if (!known) return std::nullopt;
    CompiledNode compiled;
    if (!output_.empty()) {
      std::optional<std::string> catalog = cache_->catalog(*known);
      if (!catalog) return std::nullopt;
      compiled.catalog = std::move(*catalog);
    }
    compiled.outcome.name = node.name;
    compiled.outcome.is_compiled = true;
    compiled.outcome.is_from_cache = true;
    compiled.outcome.resources = known->resources;
    compiled.outcome.problems = std::move(known->problems);
    compiled.exports = std::move(known->exports);
    for (const Read& read : cache_->exports_read(*known)) {
      compiled.questions.push_back({read.subject, read.key, read.answer});
    }
    return compiled;
  }

  CompiledNode compile(const FleetNode& node) {
    const bool is_kept = cache_ != nullptr || !output_.empty();
    return compile_node(service_, node, is_kept ? CatalogUse::kKept : CatalogUse::kNotKept, limits_,
                        cache_ != nullptr ? &cache_->table() : nullptr, exports_);
  }

  void keep(const FleetNode& node, CompiledNode& compiled) {
    NodeOutcome& outcome = compiled.outcome;
    if (!outcome.is_compiled || !outcome.untracked.empty()) return;
    CachedNode kept;
    kept.name = node.name;
    kept.facts_path = node.path;
    kept.facts_stamp = compiled.facts_stamp;
    kept.reads = std::move(compiled.reads);
    kept.resources = outcome.resources;
    kept.exports = compiled.exports;
    kept.problems = outcome.problems;
    try {
      cache_->keep(std::move(kept), compiled.catalog);
    } catch (const FileError& error) {
      outcome.untracked.push_back(fmt::format("it could not be written: {}", error.reason()));
    }
  }

  Service& service_;
  NodeCache* cache_;
  const FleetExports* exports_;
  std::string output_;
  RequestLimits limits_;
};

// A node after its last round.
struct RoundResult {
  size_t index = 0;
  NodeOutcome outcome;
  std::vector<ExportQuestion> questions;
};

// The rounds of a run (see FleetExports): nodes that collect nothing are reported in the first
// round, the others when their results no longer change.
class Rounds {
 public:
  Rounds(const NodeList& list, Answers& answers, FleetExports* exports, size_t jobs)
      : list_(list), answers_(answers), exports_(exports), jobs_(jobs) {}

  using Visitor = std::function<bool(const NodeOutcome&)>;  // false: end the run
  void run(const std::function<void()>& advance_progress, const Visitor& report) {
    bool goes_on = true;
    std::vector<size_t> all(list_.nodes().size());
    std::iota(all.begin(), all.end(), size_t{0});
    compile(
        all,
        [&](const FleetNode& node) {
          CompiledNode compiled = answers_.answer(node);
          advance_progress();
          return compiled;
        },
        [&](RoundResult result) {
          if (held_.empty() && result.questions.empty()) {
            goes_on = report(result.outcome);
          } else {
            held_.push_back(std::move(result));
          }
          return goes_on;
        });
    if (!goes_on) return;
    while (next_round()) {
    }
    for (const RoundResult& result : held_) {
      if (!report(result.outcome)) return;
    }
  }

 private:
  static constexpr size_t kMost = 20;

  void compile(const std::vector<size_t>& indices,
               const std::function<CompiledNode(const FleetNode&)>& work,
               const std::function<bool(RoundResult)>& deliver) {
    OrderedRunOptions options;
    options.count = indices.size();
    options.jobs = jobs_;
    options.stop = &InterruptGuard::flag();
    run_in_order<RoundResult>(
        options,
        [&](size_t place) {
          const FleetNode& node = list_.nodes()[indices[place]];
          CompiledNode compiled = work(node);
          if (exports_ != nullptr) exports_->put(node.name, compiled.exports);
          return RoundResult{indices[place], std::move(compiled.outcome),
                             std::move(compiled.questions)};
        },
        deliver);
  }

  // Returns false when all results are final.
  bool next_round() {
    if (exports_ == nullptr || held_.empty() || InterruptGuard::flag()) return false;
    exports_->advance();
    std::vector<size_t> places, indices;
    for (size_t i = 0; i < held_.size(); ++i) {
      if (exports_->holds(held_[i].outcome.name, held_[i].questions)) continue;
      places.push_back(i);
      indices.push_back(held_[i].index);
    }
    if (places.empty()) return false;
    if (++rounds_ > kMost) {
      for (const size_t place : places) fail(held_[place].outcome);
      return false;
    }
    size_t done = 0;
    compile(
        indices, [&](const FleetNode& node) { return answers_.compiled_again(node); },
        [&](RoundResult result) {
          held_[places[done++]] = std::move(result);
          return true;
        });
    return true;
  }

  static void fail(NodeOutcome& outcome) {
    NodeProblem problem;
    problem.text = fmt::format(
        "What other nodes export to this one still changes after {} rounds: nodes export what "
        "depends on what they collect from each other",
        kMost);
    outcome.is_compiled = false;
    outcome.problems.push_back(std::move(problem));
  }

  const NodeList& list_;
  Answers& answers_;
  FleetExports* exports_;
  size_t jobs_;
  size_t rounds_ = 0;
  std::vector<RoundResult> held_;
};

// Saves the cache. Nodes that cannot be cached are compiled again next time.
void save_answers(NodeCache& cache, Session& session) {
  try {
    for (const std::string& path : cache.save()) {
      session.warn(
          fmt::format("{} changed while nodes were compiled; what read it is not kept", path));
    }
  } catch (const FileError& error) {
    session.warn(fmt::format("The cache could not be written: {}", error.what()));
  }
}

// Returns null without a cache; then all nodes are compiled.
std::unique_ptr<NodeCache> open_cache(const FleetCompileOptions& options, Service& service,
                                      Session& session) {
  if (options.cache.empty()) return nullptr;
  try {
    auto cache = std::make_unique<NodeCache>(options.cache, cache_key(service, session.log()),
                                             CacheUse::kWrite);
    cache->check();
    return cache;
  } catch (const FileError& error) {
    session.warn(fmt::format("The cache is not used: {}", error.what()));
    return nullptr;
  }
}

// With a store, exported resources are collected from it, otherwise from the nodes of the run.
Settings fleet_settings(Session& session, bool has_store) {
  Settings settings = session.load_settings("server");
  if (has_store) return settings;
  SettingsSources sources = session.settings_sources("server");
  sources.command_line.emplace_back("storeconfigs", "true");
  return Settings(std::move(sources));
}

// Opens the default environment and runs its config_version, so that their warnings are not those
// of the node that happens to be first. A command that fails does so for each of its nodes.
void open_environment_of(Service& service, const RequestLimits& limits, LogSink& log) {
  const auto generation = service.generation({}, &log);
  try {
    const WorkLimits work(limits);
    compilation::within(limits, [&] { return generation->config_version(&log); });
  } catch (const EvaluationError&) {
    return;
  }
}

int compile_fleet(const FleetCompileOptions& options, Session& session) {
  const NodeList list = fleet_nodes(options, session);
  if (!options.output.empty()) {
    create_directory(options.output);
    remove_abandoned_files(options.output);
  }
  const bool has_store = !session.options().store.empty();
  FleetExports exports;
  Service service(fleet_settings(session, has_store), compilation_inputs(session.options()), {});
  const size_t jobs = options.jobs > 0 ? static_cast<size_t>(options.jobs) : hardware_threads();
  const RequestLimits limits = request_limits(session.options(), jobs);
  open_environment_of(service, limits, session.log());

  const Meter meter;
  const std::unique_ptr<NodeCache> cache = open_cache(options, service, session);
  Answers answers(service, cache.get(), has_store ? nullptr : &exports, options.output, limits);
  const InterruptGuard interrupt;
  std::unique_ptr<FleetReport> report = make_report(options, list.nodes().size(), session);
  ProgressBar progress("Compiling", list.nodes().size());
  Rounds(list, answers, has_store ? nullptr : &exports, static_cast<size_t>(options.jobs))
      .run([&] { progress.advance(); },
           [&](const NodeOutcome& outcome) {
             report->add(outcome);
             return outcome.is_compiled || !options.fails_fast;
           });

  if (cache != nullptr) save_answers(*cache, session);
  FleetSummary summary;
  summary.nodes = list.nodes().size();
  summary.seconds = meter.seconds();
  summary.processors = meter.processors();
  summary.is_interrupted = InterruptGuard::flag();
  report->finish(summary);
  if (summary.is_interrupted) {
    return session.fail(ErrorKind::kError, fmt::format("Interrupted: {} of {} nodes were done",
                                                       count_text(report->summary().compiled +
                                                                  report->summary().failed),
                                                       count_text(summary.nodes)));
  }
  const size_t failed = report->summary().failed;
  if (failed == 0) return kExitSuccess;
  session.flush();  // the causes follow the list of nodes
  warn_of_missing_modules(session);
  return session.fail(
      ErrorKind::kError,
      fmt::format("{} of {} nodes did not compile", count_text(failed), count_text(summary.nodes)));
}

int compile_and_watch(const FleetCompileOptions& options, Session& session) {
  if (!options.cache.empty() && !session.options().store.empty()) {
    throw UsageError("--store keeps what is compiled; what a --cache has is not compiled again");
  }
  const auto once = [&] {
    const int answer =
        run_with_profile(options.profile, [&] { return compile_fleet(options, session); });
    session.flush();
    return answer;
  };
  if (!options.watches) return once();
  if (options.cache.empty())
    throw UsageError("--watch takes a --cache, to compile only what changed");
  std::vector<std::string> paths = options.facts;
  paths.push_back(options.nodes);
  return run_and_watch(paths_to_watch(session, paths), once);
}

}  // namespace

Command make_fleet_compile_command() {
  auto options = std::make_shared<FleetCompileOptions>();
  Command command("fleet compile", "The catalogs of many nodes, on all processors");
  take_fleet_options(command, "[FACTS...]", *options);
  command.option("--output DIR", "write each catalog to DIR/NODE.json", options->output);
  command.option("--cache DIR",
                 "keep answers there, and compile only nodes of which something that they read has "
                 "changed",
                 options->cache);
  command.flag("--fail-fast", "end at the first node that fails", options->fails_fast);
  command.flag("--summary", "no line for each node, only problems and the sum",
               options->is_summary_only);
  command.flag("--list", "a line for each node, however many there are; otherwise up to 50 nodes",
               options->lists_nodes);
  take_profile_option(command, options->profile);
  command.flag("--watch", "go on, and compile what a change reaches as soon as files are saved",
               options->watches);
  command.formats({"text", "json", "junit", "github"});
  command.details(
      "All nodes share one state of the environment. Problems are grouped by their causes: one "
      "broken profile is reported once, with the nodes that it hits. The same input gives the same "
      "bytes, whatever the number of processors.\n\n"
      "The exit code is 0 when all nodes compiled, and 1 when some did not or the run was "
      "interrupted.");
  command.takes(OptionGroup::kEnvironment);
  command.takes(OptionGroup::kStore);
  command.example("bunraku fleet compile /var/opt/puppet/facts",
                  "compiles every node whose facts the directory holds");
  command.example("bunraku fleet compile facts --shard 2/5 --format junit > results.xml",
                  "the second of five parts, for one machine of a batch");
  command.example("bunraku fleet compile --nodes nodes.txt --output catalogs --fail-fast",
                  "the nodes of a list, their catalogs in files");
  command.run([options](Session& session) { return compile_and_watch(*options, session); });
  return command;
}

}  // namespace bunraku
