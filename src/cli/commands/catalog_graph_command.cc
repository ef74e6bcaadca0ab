// `catalog graph`
#include <memory>

#include "base/formats/json.h"
#include "base/system/file_system.h"
#include "catalog/difference/catalog_graph.h"
#include "catalog/explanation/explanation.h"
#include "cli/commands/commands.h"
#include "cli/frame/node_compilation.h"
#include "cli/frame/session.h"
#include "cli/host_facts.h"
#include "compilation/fleet_compilation.h"
#include "evaluation/evaluator.h"

namespace bunraku {

using compilation::Compilation;

namespace {

struct CatalogGraphOptions {
  std::string catalog;
  std::string node;
};

struct Drawn {
  std::string catalog;
  CatalogReasons reasons;
};

void explain_all(const Compiler& compiler, const Provenance& provenance, CatalogReasons& reasons) {
  for (const Resource* resource : compiler.catalog().resources()) {
    std::string text;
    JsonWriter json(text);
    write_explanation_outline(json, explain(compiler, provenance, *resource, std::nullopt));
    reasons[resource->reference()] = std::move(text);
  }
}

void draw(const Drawn& drawn, const std::string& name, Session& session) {
  const CatalogDocument catalog(drawn.catalog, name);
  const bool is_page = session.format_or("dot") == "html";
  session.print(is_page ? catalog_graph_page(catalog, drawn.reasons) : catalog_dot(catalog));
}

// Compiles the node with the facts in the common options.
int draw_node(const std::string& node, Session& session) {
  CompilationRequest request;
  request.node = node;
  request.needs_facts = true;
  request.host_facts = [&](Arena& arena) {
    return agent_facts_of_host(session, arena, "server", false);
  };
  NodeCompilation compiled(session, request);
  Compilation& compilation = compiled.compilation;
  Provenance provenance;
  RecordingData data(compilation.lookup(), provenance);
  compilation.compiler().record(provenance, data);
  try {
    compilation.compile();
    Drawn drawn;
    drawn.catalog = catalog_text(compilation, {});
    explain_all(compilation.compiler(), provenance, drawn.reasons);
    draw(drawn, node, session);
    return kExitSuccess;
  } catch (const EvaluationError& error) {
    return session.fail(error, compilation.suffix());
  }
}

int draw_catalog(const CatalogGraphOptions& options, Session& session) {
  if (options.catalog.empty() == options.node.empty()) {
    throw UsageError("name a catalog's file, or a node to compile with --node");
  }
  int exit_code = kExitSuccess;
  auto task = [&] {
    if (options.node.empty()) {
      draw({read_file(options.catalog), {}}, options.catalog, session);
    } else {
      exit_code = draw_node(options.node, session);
    }
  };
  run_on_large_stack(task);
  return exit_code;
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
      "and what led to it: with --node what `catalog why` shows (what asked for its classes, and "
      "what set each parameter), of a catalog that is read what contains it. Sensitive values are "
      "left out.");
  command.takes(OptionGroup::kEnvironment);
  command.takes(OptionGroup::kNode);
  command.example("bunraku catalog graph catalog.json | dot -Tsvg > catalog.svg",
                  "a picture, by Graphviz");
  command.example(
      "bunraku catalog graph --node web01.example.com --facts web01.yaml --format html > "
      "web01.html",
      "a page to look around in");
  command.run([options](Session& session) { return draw_catalog(*options, session); });
  return command;
}

}  // namespace bunraku
