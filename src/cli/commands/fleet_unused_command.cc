// `fleet unused`
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>

#include "base/formats/json.h"
#include "base/system/file_system.h"
#include "base/system/terminal.h"
#include "base/text/counts.h"
#include "cli/commands/commands.h"
#include "cli/frame/fleet_options.h"
#include "cli/frame/missing_modules.h"
#include "cli/frame/node_compilation.h"
#include "cli/frame/session.h"
#include "compilation/fleet_compilation.h"
#include "fleet/ordered_run.h"
#include "fleet/problem_groups.h"
#include "fleet/report.h"
#include "fleet/unused.h"
#include "ruby/worker/session.h"

namespace bunraku {

using compilation::CatalogUse;
using compilation::CompiledNode;
using compilation::Service;

namespace {

struct UnusedOptions : FleetOptions {
  bool with_all_modules = false;
};

// The results of the fleet's nodes.
struct Outcomes {
  size_t compiled = 0, failed = 0, with_ruby = 0;
  ProblemGroups failures;

  void add(const NodeOutcome& node) {
    if (std::ranges::find(node.untracked, kRubyWasRun) != node.untracked.end()) ++with_ruby;
    if (node.is_compiled) {
      ++compiled;
      return;
    }
    ++failed;
    for (const NodeProblem& problem : node.problems) {
      if (problem.severity == Severity::kError) failures.add(node.name, problem);
    }
  }
  size_t nodes() const { return compiled + failed; }
};

// Prints paths relative to the working directory.
void print_text(const std::vector<UnusedThing>& all, Session& session) {
  const std::string directory = absolute_path(".");
  for (const UnusedThing& thing : all) {
    const std::string line = thing.line > 0 ? fmt::format(":{}", thing.line) : "";
    const std::string place = path_from(directory, thing.file) + line;
    const bool is_named_by_path = thing.name == place;
    session.print(is_named_by_path ? fmt::format("{} {}\n", thing.kind, place)
                                   : fmt::format("{} {}  {}\n", thing.kind, thing.name, place));
  }
}

// Files that Ruby code opens itself are not observed.
constexpr std::string_view kRubyNote =
    "Ruby code was run for {} of the nodes: templates and files that it opens by itself are among "
    "what is shown";

void print_json(const std::vector<UnusedThing>& all, const Outcomes& outcomes, Session& session) {
  std::string text;
  JsonWriter json(text, JsonForm::kPretty);
  json.begin_object();
  json.key("unused");
  json.begin_array();
  for (const UnusedThing& thing : all) {
    json.begin_object();
    json.member("kind", thing.kind);
    json.member("name", thing.name);
    json.member("file", thing.file);
    if (thing.line > 0) json.member("line", int64_t{thing.line});
    json.end_object();
  }
  json.end_array();
  json.member("nodes", static_cast<int64_t>(outcomes.nodes()));
  json.member("failed", static_cast<int64_t>(outcomes.failed));
  json.member("nodes_with_ruby", static_cast<int64_t>(outcomes.with_ruby));
  json.end_object();
  session.print(text + "\n");
}

// Leaves out modules of others: those in the Puppetfile, and those outside of the environment.
void leave_out_modules(std::vector<UnusedThing>& all, const Environment& environment) {
  const std::string& directory = environment.directory();
  const std::vector<std::string> installed =
      directory.empty() ? std::vector<std::string>() : puppetfile_modules(directory);
  std::erase_if(all, [&](const UnusedThing& thing) {
    const Module* module = environment.module_of(thing.file);
    if (module == nullptr) return false;
    return !environment.holds(module->path) ||
           std::ranges::find(installed, module->name.text()) != installed.end();
  });
}

// Reports why nodes did not compile, and the consequence for the result.
int fail_with_causes(const Outcomes& outcomes, std::string_view meaning, Session& session) {
  TextReportOptions options;
  options.color = session.has_color_log();
  options.directory = absolute_path(".");
  std::string causes = problems_text(outcomes.failures, options);
  if (!causes.empty()) causes.pop_back();  // the last line end
  warn_of_missing_modules(session);
  return session.fail(
      ErrorKind::kError,
      fmt::format("{} of {} nodes did not compile; {}\n{}", count_text(outcomes.failed),
                  count_text(outcomes.nodes()), meaning, causes));
}

int find_unused_things(const UnusedOptions& options, Session& session) {
  const NodeList list = fleet_nodes(options, session);
  Service service(session.load_settings("server"), compilation_inputs(session.options()), {});
  const auto environment = service.environment({}, &session.log());
  const InterruptGuard interrupt;
  ProgressBar progress("Compiling", list.nodes().size());
  ReadTable table;
  UsedThings used;
  Outcomes outcomes;
  OrderedRunOptions run;
  run.count = list.nodes().size();
  run.jobs = static_cast<size_t>(options.jobs);
  run.stop = &InterruptGuard::flag();
  const size_t done = run_in_order<CompiledNode>(
      run,
      [&](size_t index) {
        CompiledNode node =
            compile_node(service, list.nodes()[index], CatalogUse::kKept, {}, &table);
        progress.advance();
        return node;
      },
      [&](const CompiledNode& node) {
        outcomes.add(node.outcome);
        if (node.outcome.is_compiled) used.add(CatalogDocument(node.catalog, node.outcome.name));
        return true;
      });
  if (done < list.nodes().size()) return session.fail(ErrorKind::kError, "Interrupted");
  if (outcomes.compiled == 0 && outcomes.failed > 0) {
    return fail_with_causes(outcomes, "what they would reach is not known", session);
  }
  std::vector<UnusedThing> all = find_unused(*environment, table.reads(), used);
  if (!options.with_all_modules) leave_out_modules(all, *environment);
  if (session.format_or("text") == "json") {
    print_json(all, outcomes, session);
  } else {
    print_text(all, session);
    if (outcomes.with_ruby > 0) session.warn(fmt::format(kRubyNote, outcomes.with_ruby));
  }
  if (outcomes.failed == 0) return kExitSuccess;
  return fail_with_causes(outcomes, "what only they reach is among what is shown", session);
}

}  // namespace

Command make_fleet_unused_command() {
  auto options = std::make_shared<UnusedOptions>();
  Command command("fleet unused", "What no node of the fleet reaches");
  take_fleet_options(command, "[FACTS...]", *options);
  command.flag("--all-modules",
               "modules of others too: those that the Puppetfile names, and those outside of the "
               "environment",
               options->with_all_modules);
  command.formats({"text", "json"});
  command.details(
      "Compiles every node and shows the classes, defined types, functions, types, templates and "
      "files of the environment's own modules that none of them came to, and the keys and files of "
      "its data that none of them read. Functions and resource types in Ruby count like the "
      "others. What Ruby code opens by itself (File.read, require) cannot be seen; when Ruby code "
      "was run, a warning says so.");
  command.takes(OptionGroup::kEnvironment);
  command.example("bunraku fleet unused facts", "what could go");
  command.run([options](Session& session) { return find_unused_things(*options, session); });
  return command;
}

}  // namespace bunraku
