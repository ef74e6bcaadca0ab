// Makes a compilation's inputs from the command line.
#include "cli/frame/node_compilation.h"

#include <fmt/format.h>

#include "cli/frame/node_facts.h"
#include "cli/frame/session.h"
#include "compilation/stored_nodes.h"
#include "site/environment/files.h"

namespace bunraku {

using compilation::Document;
using compilation::NodeInput;

namespace {

std::optional<Document> read_document(const std::string& path) {
  if (path.empty()) return std::nullopt;
  return Document{read_environment_file(path), path};
}

LogSink& log_of(Session& session, const CompilationRequest& request) {
  return request.log != nullptr ? *request.log : session.log();
}

}  // namespace

void CompilationRequest::take_code(const std::vector<std::string>& parts) {
  if (!parts.empty()) code = fmt::format("{}", fmt::join(parts, "\n"));
}

RequestLimits request_limits(const CommonOptions& options, size_t jobs) {
  RequestLimits limits = options.limits;
  if (limits.memory != 0) limits.memory = memory_share(limits.memory, jobs);
  return limits;
}

std::shared_ptr<compilation::StoredNodes> open_node_store(const CommonOptions& options) {
  if (options.store.empty()) return nullptr;
  try {
    return std::make_shared<compilation::StoredNodes>(std::make_shared<store::Store>(options.store),
                                                      "");
  } catch (const store::StoreError& error) {
    throw EvaluationError(make_diagnostic(Issue::kUnusableValue, Range{}, {error.what()}),
                          ErrorKind::kError);
  }
}

compilation::Inputs compilation_inputs(const CommonOptions& options) {
  compilation::Inputs inputs;
  inputs.trusted = read_document(options.trusted);
  inputs.server_facts = read_document(options.server_facts);
  inputs.classification = read_document(options.enc);
  inputs.variables = read_document(options.vars);
  inputs.ruby = options.ruby;
  inputs.store = open_node_store(options);
  return inputs;
}

RequestedNode::RequestedNode(Session& session, const CompilationRequest& request,
                             compilation::Sources sources)
    : service(session.load_settings(std::string(request.section)),
              compilation_inputs(session.options()), std::move(sources)),
      name_(request.node.empty() ? service.settings().text(request.name_setting) : request.node),
      facts_(find_facts(session, service.settings(), name_)) {
  input.name = name_;
  input.limits = request_limits(session.options(), 1);
  if (facts_) {
    input.facts = document_facts(*facts_);
  } else if (session.options().has_no_facts) {
    return;
  } else if (request.host_facts && name_ == service.settings().text("certname")) {
    input.facts = request.host_facts;
  } else if (request.needs_facts) {
    // A missing environment is reported before missing facts.
    check_environment_exists(service.settings());
    fail_without_facts(session, name_);
  }
}

NodeCompilation::NodeCompilation(Session& session, const CompilationRequest& request)
    : node_(session, request, request),
      compilation(node_.service, node_.input, &log_of(session, request)) {
  session.set_environment(compilation.environment().name());
}

NodeEvaluation::NodeEvaluation(Session& session, const CompilationRequest& request,
                               std::string file_name)
    : node_(session, request, compilation::CodeEvaluation::sources(request)),
      evaluation(node_.service, node_.input, log_of(session, request), std::move(file_name)) {
  session.set_environment(evaluation.environment().name());
  evaluation.begin(request.code.has_value() || request.manifest.has_value());
}

}  // namespace bunraku
