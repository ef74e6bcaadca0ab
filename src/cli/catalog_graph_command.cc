// `catalog graph`
#include <memory>

#include "cli/commands.h"
#include "cli/fleet_compilation.h"
#include "cli/session.h"
#include "difference/catalog_graph.h"
#include "evaluation/evaluator.h"
#include "support/diagnostic_renderer.h"
#include "support/file_system.h"

namespace bunraku {
namespace {

struct CatalogGraphOptions {
  std::string catalog;
  std::string node;
};

// The node compiled with the facts of the common options.
std::string compiled_catalog(const CatalogGraphOptions& options, Session& session) {
  CompilationSnapshot snapshot(session.load_settings("server"), session.options(), {});
  FleetNode node;
  node.name = options.node;
  node.path = session.options().facts;
  CompiledNode compiled;
  auto task = [&] { compiled = compile_node(snapshot, node); };
  run_on_large_stack(task);
  for (const NodeProblem& problem : compiled.outcome.problems) {
    const std::string text = problem.text + place_text(problem.file, problem.line, problem.column);
    if (problem.severity != Severity::kError) {
      session.warn(text);
    } else {
      throw DataError(text);
    }
  }
  return std::move(compiled.catalog);
}

int draw(const CatalogGraphOptions& options, Session& session) {
  if (options.catalog.empty() == options.node.empty()) {
    throw UsageError("name a catalog's file, or a node to compile with --node");
  }
  const CatalogDocument catalog(
      options.catalog.empty() ? compiled_catalog(options, session) : read_file(options.catalog),
      options.catalog.empty() ? options.node : options.catalog);
  const bool is_page = session.format_or("dot") == "html";
  session.print(is_page ? catalog_graph_page(catalog) : catalog_dot(catalog));
  return kExitSuccess;
}

}  // namespace

Command make_catalog_graph_command() {
  auto options = std::make_shared<CatalogGraphOptions>();
  Command command("catalog graph",
                  "A catalog drawn: what contains what, and what comes before what");
  command.argument("[CATALOG]", "a catalog as `catalog compile` writes it", options->catalog);
  command.option("--node NAME", "compile this node in place of reading a catalog", options->node);
  command.formats({"dot", "html"});
  command.details(
      "The page needs no network: it has a search, zoom, and shows of each resource its parameters "
      "and what led to it. Sensitive values are left out.");
  command.takes(OptionGroup::kEnvironment);
  command.takes(OptionGroup::kNode);
  command.example("bunraku catalog graph catalog.json | dot -Tsvg > catalog.svg",
                  "a picture, by Graphviz");
  command.example(
      "bunraku catalog graph --node web01.example.com --facts web01.yaml --format html > "
      "web01.html",
      "a page to look around in");
  command.run([options](Session& session) { return draw(*options, session); });
  return command;
}

}  // namespace bunraku
