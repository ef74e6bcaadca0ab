// The compilation of one node, set up from the command line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compilation/code_evaluation.h"
#include "compilation/compilation.h"

namespace bunraku {

struct CommonOptions;
class Session;

struct CompilationRequest : compilation::Sources {
  // the section of puppet.conf that takes precedence over [main]
  std::string_view section = "server";
  std::string node;  // empty: the value of `name_setting`
  std::string_view name_setting = "node_name_value";
  LogSink* log = nullptr;  // receives log records; null: the session's log
  // The facts of this host, used when no file has facts of the node; null: none.
  compilation::ValueSource host_facts;
  // Missing facts are an error, unless the options declare a node without facts.
  bool needs_facts = false;

  // Sets the code of the options -e, which replaces the environment's manifests; does nothing
  // without such options.
  void take_code(const std::vector<std::string>& parts);
};

// The limits of each of `jobs` concurrent compilations.
RequestLimits request_limits(const CommonOptions& options, size_t jobs);

// Reads the files that the options name. Throws EvaluationError.
compilation::Inputs compilation_inputs(const CommonOptions& options);
// Opens the store in --store; returns null without the option. Throws EvaluationError.
std::shared_ptr<compilation::StoredNodes> open_node_store(const CommonOptions& options);

// The service that compiles the node, and the node's data before compilation. Throws
// EvaluationError.
class RequestedNode {
 public:
  RequestedNode(Session& session, const CompilationRequest& request, compilation::Sources sources);
  RequestedNode(const RequestedNode&) = delete;
  RequestedNode& operator=(const RequestedNode&) = delete;

  compilation::Service service;
  compilation::NodeInput input;

 private:
  std::string name_;
  std::optional<compilation::Document> facts_;
};

// The node's compilation with everything that it needs. Throws EvaluationError.
class NodeCompilation {
 public:
  NodeCompilation(Session& session, const CompilationRequest& request);

 private:
  RequestedNode node_;

 public:
  compilation::Compilation compilation;
};

// As above for code that is evaluated in pieces, after the initial manifests have been compiled.
class NodeEvaluation {
 public:
  NodeEvaluation(Session& session, const CompilationRequest& request, std::string file_name);

 private:
  RequestedNode node_;

 public:
  compilation::CodeEvaluation evaluation;
};

}  // namespace bunraku
