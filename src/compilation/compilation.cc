// Combines a node, its environment, a compiler and its data.
#include "compilation/compilation.h"

#include <fmt/format.h>

#include "compilation/limit_errors.h"
#include "compilation/stored_nodes.h"
#include "site/node/facts.h"

namespace bunraku::compilation {

ValueSource document_facts(const Document& document) {
  return [&document](Arena& arena) { return read_facts(arena, document.text, document.name); };
}

Compilation::Compilation(Service& service, const NodeInput& node, LogSink* log)
    : service_(service),
      log_(log),
      limits_(node.limits),
      store_scope_(service.inputs().store.get()),
      work_limits_(limits_) {
  within(limits_, [&] { prepare(node); });
}

void Compilation::prepare(const NodeInput& node) {
  node_.name = arena_.copy(node.name);
  node_.facts = node.facts ? node.facts(arena_) : HashBuilder(arena_).finish();
  describe(node);
  open_environment();
  node_.trusted = node.trusted ? node.trusted(arena_) : service_.trusted_data(arena_, node_);
  make_compiler(node);
}

void Compilation::describe(const NodeInput& node) {
  service_.describe(arena_, node_, node.classification ? node.classification(arena_) : Value());
  if (node.classes) {
    node_.classes.clear();
    node_.classes_have_parameters = false;
    for (const std::string& name : *node.classes) node_.classes.push_back({arena_.copy(name), {}});
  }
  if (node.server_facts) node_.server_facts = node.server_facts(arena_);
  if (node_.environment.empty()) node_.environment = arena_.copy(node.environment);
}

void Compilation::open_environment() {
  const bool is_classified = service_.has_classifier() && !node_.environment.empty();
  try {
    generation_ = service_.generation(std::string(node_.environment), log_);
  } catch (const EvaluationError& error) {
    if (!is_classified) throw;
    throw EvaluationError(
        make_diagnostic(Issue::kNodeSearchFailed, Range{}, {std::string(node_.name), error.what()}),
        ErrorKind::kError);
  }
  node_.environment = environment().name();
}

void Compilation::make_compiler(const NodeInput& node) {
  CompilerOptions options;
  options.evaluation = service_.evaluation();
  const ShownSettings& settings = generation_->settings();
  options.settings = settings.hash;
  options.settings_variables = &settings.variables;
  options.variables = service_.variables();
  options.only_defines = service_.only_defines();
  options.spares_main_files = node.spares_main_files;
  if (node.code) {
    auto source = std::make_shared<const SourceFile>("", std::string(*node.code));
    options.code = environment().parse_text(std::move(source), SourceForm::kManifest);
  }
  compiler_ = std::make_unique<Compiler>(environment(), node_, arena_, options, log_);
  lookup_ = std::make_unique<Lookup>(arena_, generation_->data_files(),
                                     generation_->lookup_settings(), &compiler_->loader());
  lookup_->set_evaluator(compiler_->evaluator());
  compiler_->evaluator().host().data = lookup_.get();
  ruby_ = std::make_unique<RubySession>(generation_->ruby());
  ruby_->set_evaluator(compiler_->evaluator());
  compiler_->evaluator().host().ruby = ruby_.get();
}

void Compilation::compile() {
  within(limits_, [&] {
    StoredNodes* nodes = service_.inputs().store.get();
    if (nodes != nullptr) save_facts(nodes->store(), *this, nodes->producer());
    compiler_->compile();
    if (nodes != nullptr) save_catalog(nodes->store(), *this, nodes->producer());
  });
}

std::string Compilation::suffix() const {
  return fmt::format(" on node {}", node_.name);
}

}  // namespace bunraku::compilation
