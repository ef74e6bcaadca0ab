// One node's compilation: its facts and environment, a compiler and the data that it looks up.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory/data_names.h"
#include "base/system/limits.h"
#include "catalog/compiler/compiler.h"
#include "compilation/service.h"
#include "functions/core/node_store.h"
#include "ruby/worker/session.h"
#include "site/lookup/lookup.h"
#include "site/node/node.h"

namespace bunraku::compilation {

// Makes a value in the arena that it is given, and may throw EvaluationError.
using ValueSource = std::function<Value(Arena&)>;

// A node as the caller knows it. What is empty is not given.
struct NodeInput {
  std::string_view name;
  ValueSource facts;           // a hash; none: the node has no facts
  ValueSource trusted;         // the hash $trusted; none: the service's, else that of a local node
  ValueSource classification;  // a classifier's answer; none: the service's, else the settings' one
  // Declared in place of the classifier's; nothing: those are.
  std::optional<std::vector<std::string>> classes;
  // The environment that is asked for. A classifier that names another wins.
  std::string_view environment;
  RequestLimits limits;
  ValueSource server_facts;              // a hash; none: the service's
  std::optional<std::string_view> code;  // compiled in place of the environment's manifests
  bool spares_main_files = false;        // see CompilerOptions
};

// Of the text of a JSON or YAML document, as files of facts have it. The document must outlive the
// source.
ValueSource document_facts(const Document& document);

// To be made, used and destroyed on one thread, which needs a large stack for deep programs (see
// run_on_large_stack()).
class Compilation {
 public:
  // Asks the classifier and whatever else the settings name for the node, and opens its
  // environment. `service` must outlive the compilation, `node` what it names until this returns.
  // `log` may be null. Throws EvaluationError.
  Compilation(Service& service, const NodeInput& node, LogSink* log);

  // Evaluates everything, and keeps facts and catalog where the service has a store. What goes over
  // the node's limits is an EvaluationError, as in whatever else within() of limit_errors.h does.
  // Throws EvaluationError.
  void compile();
  const RequestLimits& limits() const { return limits_; }
  // The limits end: what this thread does next (applying the catalog) has none.
  void lift_limits() { work_limits_.reset(); }

  Compiler& compiler() { return *compiler_; }
  Lookup& lookup() { return *lookup_; }
  Service& service() { return service_; }
  const TargetNode& node() const { return node_; }
  const Environment& environment() const { return *generation_->environment(); }
  Generation& generation() { return *generation_; }
  const Settings& settings() const { return service_.settings(); }
  LogSink* log() const { return log_; }
  // " on node NAME", for the error that ends a compilation.
  std::string suffix() const;

 private:
  void prepare(const NodeInput& node);
  void describe(const NodeInput& node);
  void open_environment();
  void make_compiler(const NodeInput& node);

  Service& service_;
  LogSink* log_;
  const RequestLimits limits_;
  NodeStoreScope store_scope_;             // of this thread, as are the limits
  std::optional<WorkLimits> work_limits_;  // of this thread, as long as the compilation lives
  DataNames names_;  // that came with the node; after everything that holds them
  Arena arena_;
  TargetNode node_;
  std::shared_ptr<Generation> generation_;
  std::unique_ptr<RubySession> ruby_;
  std::unique_ptr<Lookup> lookup_;
  std::unique_ptr<Compiler> compiler_;
};

}  // namespace bunraku::compilation
