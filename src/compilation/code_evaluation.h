// Evaluates code piece by piece in the top scope of one compilation, for `eval` and its console.
#pragma once

#include <string>
#include <vector>

#include "compilation/compilation.h"

namespace bunraku::compilation {

class CodeEvaluation {
 public:
  // `service` must have the sources returned by sources(), and outlive this object. `file_name` is
  // the name of the code in places and messages. Must be used on the thread that made it. Throws
  // EvaluationError.
  CodeEvaluation(Service& service, const NodeInput& node, LogSink& log, std::string file_name);

  // Adds empty code where there is neither code nor a manifest.
  static Sources sources(Sources given);

  // Evaluates the initial code; must be called once, first. With `compiles`, completes the whole
  // compilation. Throws EvaluationError.
  void begin(bool compiles = false);

  // Evaluates code and returns its value. Its definitions and variables stay for later code. Throws
  // EvaluationError.
  Value evaluate(std::string code);
  // Evaluates a file. Also throws FileError.
  Value evaluate_file(const std::string& path);
  // Parses and checks code for callers that inspect it first.
  ProgramPointer parse(std::string code);
  // Evaluates lazy parts of the catalog, and checks it. Not for scripts.
  void finish();
  // Returns whether the catalog has more than the resources that always exist.
  bool has_resources();

  Arena& arena() { return compilation_.compiler().evaluator().arena(); }
  Compiler& compiler() { return compilation_.compiler(); }
  const Environment& environment() const { return compilation_.environment(); }
  const ParseSettings& parse_settings() const { return parse_settings_; }
  const ProblemLimits& problem_limits() const {
    return compilation_.environment().problem_limits();
  }

 private:
  ProgramPointer parse(std::string file_name, std::string code);

  std::string file_name_;
  bool is_script_;
  // compiled before the first code, whose additions are not evaluated lazily
  bool is_compiled_ = false;
  LogSink& log_;
  std::vector<ProgramPointer> programs_;  // values point into their trees
  Compilation compilation_;
  ParseSettings parse_settings_;
};

}  // namespace bunraku::compilation
