// Code evaluated piece by piece in the top scope of one compilation: what `eval` and its console do.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalog/compiler.h"
#include "environment/environment.h"
#include "environment/node.h"
#include "support/arena.h"

namespace bunraku {

class JsonWriter;
struct CommonOptions;

struct CodeEvaluationOptions {
  std::string node = "node.example.com";
  std::string file_name;  // what locations and messages call the code
  std::optional<std::string> compile_code;
  std::optional<std::string> compile_manifest;
  bool is_script = false;
};

class CodeEvaluation {
 public:
  // Compiles what is to be compiled first. Throws EvaluationError. `common` gives settings, facts and
  // variables; `log` must outlive this. To be used on the thread that made it.
  CodeEvaluation(const CommonOptions& common, const CodeEvaluationOptions& options, LogSink& log);
  ~CodeEvaluation();

  // The value of the code. Throws EvaluationError. What it defines and assigns stays for the next.
  Value evaluate(std::string code);
  // A program that was parsed and checked already.
  Value evaluate(const ProgramPointer& program);
  // Evaluates what is lazy in the catalog, and checks it. Not after a script.
  void finish();
  // Is there more in the catalog than what is always there?
  bool has_resources();

  Arena& arena() { return arena_; }
  Compiler& compiler() { return *compiler_; }
  const ParseSettings& parse_settings() const { return parse_settings_; }

 private:
  Arena arena_;
  CodeEvaluationOptions options_;
  ParseSettings parse_settings_;
  TargetNode node_;
  std::shared_ptr<Environment> environment_;
  LogSink& log_;
  std::vector<ProgramPointer> programs_;  // values point into their trees
  std::unique_ptr<Compiler> compiler_;
};

}  // namespace bunraku
