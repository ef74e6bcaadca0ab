// What the parts of a compilation share.
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
  // $settings::all_local: the settings by name, a hash; undef when there are none.
  Value settings;
  // The variables of class Settings: $settings::NAME, $settings::all_local, and those that each
  // class has. Null when there are none. Must outlive the compiler.
  const VariableTable* settings_variables = nullptr;
  // Variables set in the top scope before anything is evaluated; a hash or undef.
  Value variables;
  // The initial manifests define functions, types and classes; neither they nor what is said of the
  // node is evaluated.
  bool only_defines = false;
  // What is compiled in place of the environment's manifests; null: those.
  ParsedFilePointer code;
  // The file of a module's main class is not read for another class that has a file of its own:
  // tests of that class may declare the main one themselves.
  bool spares_main_files = false;
};

// One compilation's state: its inputs, and what has come of them so far. It belongs to the thread
// of the compilation. What it refers to must outlive it.
struct CompilerState {
  // `log` may be null; `host` answers what code asks of the catalog.
  CompilerState(const Environment& environment, const TargetNode& node, Arena& arena,
                const CompilerOptions& options, CatalogHost& host, LogSink* log);

  // What the catalog keeps of a scope, made when it is not there yet.
  CatalogScope& scope_of(Scope& scope);
  // The resource as a type: Class['a'] or File['/a'].
  Value reference_to(const Resource& resource) const;
  // That of the node's definition; null before it was evaluated and when there is none.
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
