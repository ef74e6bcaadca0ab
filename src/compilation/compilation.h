// The compilation of one node: its facts and environment, a compiler, and the data for look-ups.
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

// Makes a value in the given arena; may throw EvaluationError.
using ValueSource = std::function<Value(Arena&)>;

// The caller's data of a node. Empty members are unset.
struct NodeInput {
  std::string_view name;
  ValueSource facts;  // a hash; empty: the node has no facts
  // the hash $trusted; empty: the service's, or otherwise that of a local node
  ValueSource trusted;
  // a classifier's answer; empty: the service's, or otherwise the settings' classifier runs
  ValueSource classification;
  // The classes to declare instead of the classifier's; no value: the classifier's.
  std::optional<std::vector<std::string>> classes;
  // The requested environment. A classifier's environment takes precedence.
  std::string_view environment;
  RequestLimits limits;
  ValueSource server_facts;              // a hash; empty: the service's
  std::optional<std::string_view> code;  // replaces the environment's manifests
  bool spares_main_files = false;        // see CompilerOptions
};

// Parses facts from a JSON or YAML document in the format of facts files. The document must outlive
// the source.
ValueSource document_facts(const Document& document);

// Must be made, used and destroyed on one thread, which needs a large stack for deep programs (see
// run_on_large_stack()).
class Compilation {
 public:
  // Runs the classifier and other commands in the settings for the node, and opens its environment.
  // `service` must outlive the compilation; the references in `node` must be valid until the
  // constructor returns. `log` may be null. Throws EvaluationError.
  Compilation(Service& service, const NodeInput& node, LogSink* log);

  // Evaluates everything, and saves facts and catalog if the service has a store. Exceeding the
  // node's limits is an EvaluationError, as within() of limit_errors.h reports it. Throws
  // EvaluationError.
  void compile();
  const RequestLimits& limits() const { return limits_; }
  // Removes the limits for later work on this thread, such as applying the catalog.
  void lift_limits() { work_limits_.reset(); }

  Compiler& compiler() { return *compiler_; }
  Lookup& lookup() { return *lookup_; }
  Service& service() { return service_; }
  const TargetNode& node() const { return node_; }
  const Environment& environment() const { return *generation_->environment(); }
  Generation& generation() { return *generation_; }
  const Settings& settings() const { return service_.settings(); }
  LogSink* log() const { return log_; }
  // The suffix " on node NAME" of the error that ends a compilation.
  std::string suffix() const;

 private:
  void prepare(const NodeInput& node);
  void describe(const NodeInput& node);
  void open_environment();
  void make_compiler(const NodeInput& node);

  Service& service_;
  LogSink* log_;
  const RequestLimits limits_;
  NodeStoreScope store_scope_;             // of this thread, like the limits
  std::optional<WorkLimits> work_limits_;  // of this thread, while the compilation lives
  DataNames names_;  // names in the node's data; declared after all their holders
  Arena arena_;
  TargetNode node_;
  std::shared_ptr<Generation> generation_;
  std::unique_ptr<RubySession> ruby_;
  std::unique_ptr<Lookup> lookup_;
  std::unique_ptr<Compiler> compiler_;
};

}  // namespace bunraku::compilation
