// `fleet unused`
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>

#include "base/formats/json.h"
#include "base/system/terminal.h"
#include "cli/commands/commands.h"
#include "cli/frame/fleet_options.h"
#include "cli/frame/node_compilation.h"
#include "cli/frame/session.h"
#include "compilation/fleet_compilation.h"
#include "fleet/ordered_run.h"
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

void print_text(const std::vector<UnusedThing>& all, Session& session) {
  for (const UnusedThing& thing : all) {
    const std::string line = thing.line > 0 ? fmt::format(":{}", thing.line) : "";
    session.print(fmt::format("{} {}  {}{}\n", thing.kind, thing.name, thing.file, line));
  }
}

// What Ruby code opens by itself is not seen.
constexpr std::string_view kRubyNote =
    "Ruby code was run for {} of the nodes: templates and files that it opens by itself are among "
    "what is shown";

void print_json(const std::vector<UnusedThing>& all, size_t ruby_nodes, Session& session) {
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
  json.member("nodes_with_ruby", static_cast<int64_t>(ruby_nodes));
  json.end_object();
  session.print(text + "\n");
}

// Modules of others: those that the Puppetfile names, and those outside of the environment.
void leave_out_modules(std::vector<UnusedThing>& all, const Environment& environment) {
  const std::string& directory = environment.directory();
  const std::vector<std::string> installed =
      directory.empty() ? std::vector<std::string>() : puppetfile_modules(directory);
  std::erase_if(all, [&](const UnusedThing& thing) {
    const Module* module = environment.module_of(thing.file);
    if (module == nullptr) return false;
    const bool is_outside = !directory.empty() && !module->path.starts_with(directory + "/");
    return is_outside || std::ranges::find(installed, module->name.text()) != installed.end();
  });
}

int find_unused_things(const UnusedOptions& options, Session& session) {
  const NodeList list = fleet_nodes(options, session);
  Service service(session.load_settings("server"), compilation_inputs(session.options()), {});
  const auto environment = service.environment({}, &session.log());
  const InterruptGuard interrupt;
  ProgressBar progress("Compiling", list.nodes().size());
  ReadTable table;
  UsedThings used;
  size_t failed = 0, ruby_nodes = 0;
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
        const std::vector<std::string>& untracked = node.outcome.untracked;
        if (std::ranges::find(untracked, kRubyWasRun) != untracked.end()) {
          ++ruby_nodes;
        }
        if (node.outcome.is_compiled) {
          used.add(CatalogDocument(node.catalog, node.outcome.name));
        } else {
          ++failed;
        }
        return true;
      });
  if (done < list.nodes().size()) return session.fail(ErrorKind::kError, "Interrupted");
  std::vector<UnusedThing> all = find_unused(*environment, table.reads(), used);
  if (!options.with_all_modules) leave_out_modules(all, *environment);
  if (session.format_or("text") == "json") {
    print_json(all, ruby_nodes, session);
  } else {
    print_text(all, session);
    if (ruby_nodes > 0) session.warn(fmt::format(kRubyNote, ruby_nodes));
  }
  if (failed == 0) return kExitSuccess;
  return session.fail(ErrorKind::kError,
                      fmt::format("{} of {} nodes did not compile; what only they reach is among "
                                  "what is shown",
                                  failed, list.nodes().size()));
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
