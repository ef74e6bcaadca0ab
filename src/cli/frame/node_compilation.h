// The compilation of one node as the command line describes it.
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
  std::string_view section = "server";  // of puppet.conf, whose settings go before those of [main]
  std::string node;                     // empty: what `name_setting` says
  std::string_view name_setting = "node_name_value";
  LogSink* log = nullptr;  // where records go; null: the session's log
  // The facts of the node that this host is, when no file has any; null: none.
  compilation::ValueSource host_facts;
  // A node without facts is an error, unless the options say that it has none.
  bool needs_facts = false;

  // What options -e say, in place of the environment's manifests; nothing when there are none.
  void take_code(const std::vector<std::string>& parts);
};

// What each of `jobs` compilations at a time may take.
RequestLimits request_limits(const CommonOptions& options, size_t jobs);

// Reads the files that the options name. Throws EvaluationError.
compilation::Inputs compilation_inputs(const CommonOptions& options);
// The store that --store names; null when it names none. Throws EvaluationError.
std::shared_ptr<compilation::StoredNodes> open_node_store(const CommonOptions& options);

// What compiles the node, and what is known of it before. Throws EvaluationError.
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

// The node's compilation with all that it needs. Throws EvaluationError.
class NodeCompilation {
 public:
  NodeCompilation(Session& session, const CompilationRequest& request);

 private:
  RequestedNode node_;

 public:
  compilation::Compilation compilation;
};

// The same for code that is evaluated piece by piece; what comes first has been compiled.
class NodeEvaluation {
 public:
  NodeEvaluation(Session& session, const CompilationRequest& request, std::string file_name);

 private:
  RequestedNode node_;

 public:
  compilation::CodeEvaluation evaluation;
};

}  // namespace bunraku
