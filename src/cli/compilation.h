// What compiling for a node takes, put together from the command line: settings, the environment,
// the node, a compiler and its data.
#pragma once

#include <memory>
#include <string>

#include "catalog/compiler/compiler.h"
#include "cli/compilation_snapshot.h"
#include "cli/frame/session.h"
#include "site/node/node.h"
#include "site/lookup/lookup.h"
#include "ruby/worker/session.h"

namespace bunraku {

struct CompilationRequest : CompilationSources {
  std::string_view section = "server";  // of puppet.conf, whose settings go before those of [main]
  std::string node;                     // empty: what `name_setting` says
  std::string_view name_setting = "node_name_value";
  LogSink* log = nullptr;  // where records go; null: the session's log
};

class Compilation {
 public:
  // One compilation alone. Reads facts, the classifier's answer and so on. Throws EvaluationError,
  // FileError, DataError.
  Compilation(Session& session, const CompilationRequest& request);

  // One of many. `facts` makes the node's facts, a hash, in the arena that it is given. All must
  // outlive the compilation; `log` may be null.
  template <typename Facts>
  Compilation(CompilationSnapshot& snapshot, std::string_view node, Facts&& facts, LogSink* log)
      : snapshot_(&snapshot) {
    node_.name = arena_.copy(node);
    node_.facts = facts(arena_);
    prepare(log);
  }

  Compiler& compiler() { return *compiler_; }
  Lookup& lookup() { return *lookup_; }
  const TargetNode& node() const { return node_; }
  const Environment& environment() const { return *environment_; }
  const Settings& settings() const { return snapshot_->settings(); }
  // " on node NAME", for the error that ends a compilation.
  std::string suffix() const;

 private:
  void prepare(LogSink* log);

  std::unique_ptr<CompilationSnapshot> own_snapshot_;  // null when others share it
  CompilationSnapshot* snapshot_;
  Arena arena_;
  TargetNode node_;
  std::shared_ptr<Environment> environment_;
  std::unique_ptr<RubySession> ruby_;
  std::unique_ptr<Lookup> lookup_;
  std::unique_ptr<Compiler> compiler_;
};

}  // namespace bunraku
