// `fleet diff`
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <unordered_map>

#include "base/diagnostics/diagnostic_renderer.h"
#include "base/formats/data.h"
#include "base/system/file_system.h"
#include "base/system/terminal.h"
#include "base/text/counts.h"
#include "base/text/text_hash.h"
#include "cli/commands/commands.h"
#include "cli/frame/difference_options.h"
#include "cli/frame/fleet_options.h"
#include "cli/frame/node_compilation.h"
#include "cli/frame/session.h"
#include "compilation/environment_side.h"
#include "compilation/environment_version.h"
#include "compilation/fleet_compilation.h"
#include "fleet/ordered_run.h"
#include "fleet/problem_groups.h"

namespace bunraku {

using compilation::CatalogUse;
using compilation::CompiledNode;
using compilation::EnvironmentSide;
using compilation::Service;
using compilation::SideRequest;

namespace {

struct FleetDiffOptions : FleetOptions, DifferenceCommandOptions {
  std::string before;
  std::string after;
  std::string repository;
  std::vector<std::string> modules;
  std::string bootstrap;
};

// The directory for git commands; for a directory within a repository, git checks out only that
// directory.
std::string repository_of(const FleetDiffOptions& options, const Session& session) {
  if (!options.repository.empty()) return options.repository;
  return session.repository() != nullptr ? session.repository()->directory : ".";
}

SideRequest request_of(const std::string& name, const FleetDiffOptions& options, Session& session) {
  SideRequest request;
  request.name = name;
  request.environment = session.load_settings("user").text("environment");
  request.repository = repository_of(options, session);
  request.modules = options.modules;
  request.bootstrap = options.bootstrap;
  for (const std::string& side : {options.before, options.after}) {
    if (is_directory(side)) request.roots.push_back(absolute_path(side));
  }
  request.roots.push_back(absolute_path(request.repository));
  return request;
}

// One of the two sides: a version of the environment, with everything that compiles it.
class Side {
 public:
  Side(const SideRequest& request, Session& session)
      : side_(request),
        service_(Settings(side_.settings(session.settings_sources("server"))),
                 compilation_inputs(session.options()), {}) {
    const auto environment = service_.environment({}, &session.log());
    std::vector<std::string> found;
    for (const Module& module : environment->modules()) found.emplace_back(module.name.text());
    missing_ = side_.missing_modules(found);
  }

  // Missing modules of the Puppetfile: a revision has no files that git ignores.
  const std::vector<std::string>& missing_modules() const { return missing_; }

  // Compiles the node, and removes the environment's directory from all paths, so that both sides
  // are comparable.
  CompiledNode compile(const FleetNode& node) {
    CompiledNode compiled = compile_node(service_, node, CatalogUse::kKept);
    const std::string directory = side_.prefix();
    remove_all(compiled.catalog, directory);
    for (NodeProblem& problem : compiled.outcome.problems) {
      remove_all(problem.text, directory);
      remove_all(problem.file, directory);
    }
    return compiled;
  }

 private:
  static void remove_all(std::string& text, const std::string& part) {
    std::string kept;
    size_t from = 0;
    for (size_t at; (at = text.find(part, from)) != std::string::npos; from = at + part.size()) {
      kept.append(text, from, at - from);
    }
    if (from > 0) text = kept.append(text, from);
  }

  EnvironmentSide side_;
  Service service_;
  std::vector<std::string> missing_;
};

void warn_of_missing(const std::string& sides, const std::vector<std::string>& missing,
                     Session& session) {
  if (missing.empty()) return;
  session.warn(
      fmt::format("modules of the Puppetfile that are missing in {}: {}. --modules DIR names a "
                  "directory that has them, --bootstrap CMD a command that brings them",
                  sides, names_text(missing, 8)));
}

void warn_of_missing(const Side& before, const Side& after, const FleetDiffOptions& options,
                     Session& session) {
  if (before.missing_modules() == after.missing_modules()) {
    warn_of_missing(fmt::format("{} and {}", options.before, options.after),
                    before.missing_modules(), session);
    return;
  }
  warn_of_missing(options.before, before.missing_modules(), session);
  warn_of_missing(options.after, after.missing_modules(), session);
}

struct NodeDifference {
  std::string node;
  CatalogDifference difference;
  std::vector<NodeProblem> failures;
};

NodeDifference compare_node(Side& before, Side& after, const FleetNode& node,
                            const DifferenceOptions& options) {
  NodeDifference result;
  result.node = node.name;
  CompiledNode sides[] = {before.compile(node), after.compile(node)};
  constexpr std::string_view kNames[] = {"before", "after"};
  for (size_t i = 0; i < 2; ++i) {
    if (sides[i].outcome.is_compiled) continue;
    for (NodeProblem& problem : sides[i].outcome.problems) {
      if (problem.severity != Severity::kError) continue;
      problem.text = fmt::format("{}: {}", kNames[i], problem.text);
      result.failures.push_back(std::move(problem));
    }
  }
  if (!result.failures.empty()) return result;
  try {
    const CatalogDocument older(sides[0].catalog, "the catalog before");
    const CatalogDocument newer(sides[1].catalog, "the catalog after");
    result.difference = compare_catalogs(older, newer, options);
  } catch (const DataError& error) {
    NodeProblem problem;
    problem.text = error.what();
    result.failures.push_back(std::move(problem));
  }
  return result;
}

// Collects changes, and the nodes that they have in common.
class Gathering {
 public:
  void add(NodeDifference node) {
    ++report_.nodes;
    for (const NodeProblem& problem : node.failures) failures_.add(node.node, problem);
    if (!node.failures.empty()) return;
    if (!node.difference.empty()) ++report_.changed_nodes;
    for (ResourceChange& change : node.difference.resources) add(std::move(change), node.node);
    if (!node.difference.cycle.empty()) {
      cycles_[cycle_text(node.difference.cycle)].push_back(node.node);
    }
  }

  bool has_failed() const { return !failures_.empty(); }

  // Sorted by the number of nodes, the largest first.
  DifferenceReport finish() {
    for (const ProblemGroup* group : failures_.sorted()) {
      const NodeProblem& problem = group->problem;
      report_.failures.push_back(
          {problem.text + place_text(problem.file, problem.line, problem.column), group->nodes,
           problem.file, problem.line, problem.column});
    }
    for (auto& [text, nodes] : cycles_) report_.cycles.push_back({text, std::move(nodes)});
    std::ranges::stable_sort(report_.changes, [](const SharedChange& a, const SharedChange& b) {
      if (a.nodes.size() != b.nodes.size()) return a.nodes.size() > b.nodes.size();
      if (a.nodes != b.nodes) return a.nodes < b.nodes;
      return a.change.reference < b.change.reference;
    });
    return std::move(report_);
  }

 private:
  // Adds a change. Changes that differ only in their nodes' names are merged.
  void add(ResourceChange change, const std::string& node) {
    std::string text = key_of(change);
    const auto [number, is_new] =
        numbers_.try_emplace(without_name(text, node), report_.changes.size());
    const size_t at = number->second;
    if (is_new) {
      report_.changes.push_back({std::move(change), {}});
      texts_.push_back(std::move(text));
    } else if (texts_[at] != text) {
      report_.changes[at].has_names = true;
    }
    report_.changes[at].nodes.push_back(node);
  }

  DifferenceReport report_;
  std::vector<std::string> texts_;  // of each change in the report, for its first node
  std::unordered_map<std::string, size_t, TextHash> numbers_;
  std::map<std::string, std::vector<std::string>> cycles_;
  ProblemGroups failures_;
};

// The git revision of a side. Throws UsageError when it is not a revision, and EvaluationError when
// there is neither an environment nor a git repository.
std::string revision_of(const std::string& side, const std::string& repository, Session& session) {
  const std::string revision = compilation::revision_id(side, repository);
  if (!revision.empty()) return revision;
  const bool is_git = !compilation::revision_id("HEAD", repository).empty();
  if (!is_git && session.repository() == nullptr) session.require_environment();
  throw UsageError(fmt::format("'{}' is neither a directory nor a revision of {}", side,
                               absolute_path(repository)));
}

// Throws when both sides are the same directory, which is surely a mistake. Two names of one
// revision only cause a warning, because programs that compare branches produce them.
void check_sides(const FleetDiffOptions& options, Session& session) {
  const std::string repository = repository_of(options, session);
  std::string revisions[2];
  for (size_t i = 0; i < 2; ++i) {
    const std::string& side = i == 0 ? options.before : options.after;
    if (!is_directory(side)) revisions[i] = revision_of(side, repository, session);
  }
  if (!revisions[0].empty() && revisions[0] == revisions[1]) {
    session.warn(fmt::format("{} and {} are the same revision: nothing can differ", options.before,
                             options.after));
  }
  std::error_code error;
  const bool are_same = is_directory(options.before) && is_directory(options.after) &&
                        std::filesystem::equivalent(options.before, options.after, error);
  if (!are_same) return;
  throw UsageError(fmt::format(
      "both sides are the directory {}; compare it with a revision (`bunraku fleet diff HEAD .`)",
      absolute_path(options.before)));
}

int compare_fleet(const FleetDiffOptions& options, Session& session) {
  check_sides(options, session);
  const DifferenceOptions difference_options = difference_options_of(options, session);
  const NodeList list = fleet_nodes(options, session);
  const SideRequest requests[] = {request_of(options.before, options, session),
                                  request_of(options.after, options, session)};
  // From here on each side has its own environment.
  session.leave_repository();
  Side before(requests[0], session);
  Side after(requests[1], session);
  warn_of_missing(before, after, options, session);
  const InterruptGuard interrupt;
  ProgressBar progress("Comparing", list.nodes().size());
  Gathering gathering;
  OrderedRunOptions run;
  run.count = list.nodes().size();
  run.jobs = static_cast<size_t>(options.jobs);
  run.stop = &InterruptGuard::flag();
  run_in_order<NodeDifference>(
      run,
      [&](size_t index) {
        NodeDifference node = compare_node(before, after, list.nodes()[index], difference_options);
        progress.advance();
        return node;
      },
      [&](NodeDifference node) {
        gathering.add(std::move(node));
        return true;
      });
  const bool has_failed = gathering.has_failed();
  DifferenceReport report = gathering.finish();
  report.before = options.before;
  report.after = options.after;
  print_difference(report, session);
  if (InterruptGuard::flag()) {
    return session.fail(ErrorKind::kError,
                        fmt::format("Interrupted: {} of {} nodes were compared",
                                    count_text(report.nodes), count_text(list.nodes().size())));
  }
  if (has_failed) return kExitFailure;
  return report.changed_nodes > 0 ? kExitDifferent : kExitSuccess;
}

}  // namespace

Command make_fleet_diff_command() {
  auto options = std::make_shared<FleetDiffOptions>();
  options->needs_environment = false;
  Command command("fleet diff", "What a change does to the catalogs of many nodes");
  command.argument("BEFORE", "the environment's directory, or a revision of it in git",
                   options->before);
  command.argument("AFTER", "what to compare it with", options->after);
  take_fleet_options(command, "[FACTS...]", *options);
  take_difference_options(command, *options);
  command.option("--repository DIR", "where the git repository is; here otherwise",
                 options->repository);
  command.option("--modules DIR",
                 "modules that both sides have beside their own, such as those that git ignores; "
                 "may be repeated",
                 options->modules);
  command.option("--bootstrap CMD",
                 "run CMD in the directory of each revision, to bring the modules that git ignores",
                 options->bootstrap);
  command.details(
      "Compiles every node with both states of the environment and shows what differs; what is the "
      "same on many nodes is shown once. A revision is what git calls a tree: \"main\", "
      "\"HEAD~1\", or \"v1.2:control-repo\" when the environment is a directory of the repository. "
      "Paths of --modulepath, --manifest and --hiera_config that are relative, or lie in one of "
      "the two, are those of each side.\n\n"
      "Modules that git ignores are taken from --modules, brought by --bootstrap, or, in the "
      "version that the Puppetfile names, taken from the caches of r10k and g10k on this host.\n\n"
      "The exit code is 0 when all catalogs are the same, 2 when some differ, and 1 when nodes "
      "failed.");
  command.takes(OptionGroup::kEnvironment);
  command.example("bunraku fleet diff HEAD~1 HEAD facts", "what the last commit changes");
  command.example(
      "bunraku fleet diff main . facts --ignore '*::loglevel' --format html > review.html",
      "what the working tree changes, as a page");
  command.run([options](Session& session) { return compare_fleet(*options, session); });
  return command;
}

}  // namespace bunraku
