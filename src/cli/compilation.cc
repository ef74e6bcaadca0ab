#include "cli/compilation.h"

#include <fmt/format.h>

#include "site/node/facts.h"
#include "site/environment/files.h"

namespace bunraku {

Compilation::Compilation(Session& session, const CompilationRequest& request)
    : own_snapshot_(std::make_unique<CompilationSnapshot>(
          session.load_settings(std::string(request.section)), session.options(), request)),
      snapshot_(own_snapshot_.get()) {
  const std::string name =
      request.node.empty() ? settings().text(request.name_setting) : request.node;
  node_.name = arena_.copy(name);
  const std::string& facts = session.options().facts;
  node_.facts = facts.empty() ? HashBuilder(arena_).finish()
                              : read_facts(arena_, read_environment_file(facts), facts);
  prepare(request.log != nullptr ? request.log : &session.log());
  session.set_environment(environment_->name());
}

void Compilation::prepare(LogSink* log) {
  snapshot_->describe(arena_, node_);
  const bool is_classified = snapshot_->has_classifier() && !node_.environment.empty();
  try {
    environment_ = snapshot_->environment(std::string(node_.environment), log);
  } catch (const EvaluationError& error) {
    if (!is_classified) throw;
    throw EvaluationError(make_diagnostic(Issue::kRuntimeError, Range{},
                                          {fmt::format("Failed when searching for node {}: {}",
                                                       node_.name, error.what())}),
                          ErrorKind::kError);
  }
  node_.environment = environment_->name();
  node_.trusted = snapshot_->trusted_data(arena_, node_);

  CompilerOptions options;
  options.evaluation = snapshot_->evaluation();
  const CompilationSnapshot::ShownSettings& settings = snapshot_->shown_settings(*environment_);
  options.settings = settings.hash;
  options.settings_variables = &settings.variables;
  options.variables = snapshot_->variables();
  options.only_defines = snapshot_->only_defines();
  compiler_ = std::make_unique<Compiler>(*environment_, node_, arena_, options, log);
  lookup_ =
      std::make_unique<Lookup>(arena_, snapshot_->data_files(),
                               snapshot_->lookup_settings(*environment_), &compiler_->loader());
  lookup_->set_evaluator(compiler_->evaluator());
  compiler_->evaluator().host().data = lookup_.get();
  ruby_ = std::make_unique<RubySession>(snapshot_->ruby());
  ruby_->set_evaluator(compiler_->evaluator());
  compiler_->evaluator().host().ruby = ruby_.get();
}

std::string Compilation::suffix() const {
  return fmt::format(" on node {}", node_.name);
}

}  // namespace bunraku
