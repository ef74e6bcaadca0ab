// What compiling for a node takes, put together from the command line: settings, the environment,
// the node, a compiler and its data.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "catalog/compiler.h"
#include "cli/session.h"
#include "environment/environment.h"
#include "environment/node.h"
#include "environment/settings.h"
#include "lookup/lookup.h"
#include "ruby/session.h"

namespace bunraku {

struct CompilationRequest {
  std::string node;                 // empty: this machine's certname
  std::optional<std::string> code;  // in place of the manifest
  std::string code_name;            // what messages call the code
  std::optional<std::string> manifest;
  bool is_script = false;  // no catalog: what needs one is an error
};

class Compilation {
 public:
  // Reads facts, the classifier's answer and so on. Throws EvaluationError, FileError, DataError.
  Compilation(Session& session, const CompilationRequest& request);

  Compiler& compiler() { return *compiler_; }
  Lookup& lookup() { return *lookup_; }
  const TargetNode& node() const { return node_; }
  const Environment& environment() const { return *environment_; }
  const Settings& settings() const { return settings_; }
  // " on node NAME", for the error that ends a compilation.
  std::string suffix() const;

 private:
  void read_node(Session& session, const CompilationRequest& request);
  void find_environment(const CompilationRequest& request);
  EvaluationSettings evaluation_settings(bool is_script) const;
  Value settings_hash();

  Arena arena_;
  DataFiles data_files_;
  Settings settings_;
  TargetNode node_;
  std::shared_ptr<Environment> environment_;
  std::unique_ptr<RubySession> ruby_;
  std::unique_ptr<Lookup> lookup_;
  std::unique_ptr<Compiler> compiler_;
};

}  // namespace bunraku
