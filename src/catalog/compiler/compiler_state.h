// The state that the parts of a compilation share.
#pragma once

#include "catalog/compiler/catalog.h"
#include "catalog/compiler/definitions.h"
#include "catalog/compiler/recorder.h"
#include "evaluation/evaluator.h"
#include "site/environment/environment.h"
#include "site/environment/loader.h"
#include "site/node/node.h"

namespace bunraku {

struct CompilerOptions {
  EvaluationSettings evaluation;
  // $settings::all_local: a hash of settings by name; undef when there are none.
  Value settings;
  // The variables of class Settings: $settings::NAME, $settings::all_local, and those that each
  // class has. Null when there are none. Must outlive the compiler.
  const VariableTable* settings_variables = nullptr;
  // Variables that are set in the top scope before the evaluation; a hash or undef.
  Value variables;
  // Only the definitions of the initial manifests are added; neither their other code nor the
  // node's classes are evaluated.
  bool only_defines = false;
  // The code that replaces the environment's manifests; null: none.
  ParsedFilePointer code;
  // A module's init.pp is not loaded for another class that has its own file, so that tests of that
  // class can declare the main class themselves.
  bool spares_main_files = false;
};

// The state of one compilation: its inputs and its results so far. It belongs to the compiling
// thread. All that it refers to must outlive it.
struct CompilerState {
  // `log` may be null; `host` answers queries of the catalog by code.
  CompilerState(const Environment& environment, const TargetNode& node, Arena& arena,
                const CompilerOptions& options, CatalogHost& host, LogSink* log);

  // Returns the catalog's data of a scope, made on demand.
  CatalogScope& scope_of(Scope& scope);
  // Returns the resource as a type: Class['a'] or File['/a'].
  Value reference_to(const Resource& resource) const;
  // Returns the resource of the node's definition; null before its evaluation and when there is
  // none.
  const Resource* node_resource() const;

  Arena& arena;
  const Environment& environment;
  const TargetNode& node;
  CompilerOptions options;
  Loader loader;
  Evaluator evaluator;
  Definitions definitions;
  Catalog catalog;
  Recorder recorder;
  Scope* node_scope = nullptr;  // of the node's definition
  Resource* main = nullptr;     // Class[main]
};

}  // namespace bunraku
