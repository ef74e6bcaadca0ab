// Code evaluated piece by piece in the top scope of one compilation: what `eval` and its console
// do.
#pragma once

#include <string>
#include <vector>

#include "compilation/compilation.h"

namespace bunraku::compilation {

class CodeEvaluation {
 public:
  // `service` must have the sources that sources() gives, and outlive this. `file_name` is what
  // places and messages call the code. To be used on the thread that made it. Throws
  // EvaluationError.
  CodeEvaluation(Service& service, const NodeInput& node, LogSink& log, std::string file_name);

  // With nothing to compile first, where there is neither code nor a manifest.
  static Sources sources(Sources given);

  // Evaluates what is to be compiled first; once, before the rest. With `compiles` as a whole, to
  // the end of its compilation. Throws EvaluationError.
  void begin(bool compiles = false);

  // The value of the code. Throws EvaluationError. What it defines and assigns stays for the next.
  Value evaluate(std::string code);
  // The same of a file. Throws FileError, too.
  Value evaluate_file(const std::string& path);
  // The code parsed and checked, for those who look at it first.
  ProgramPointer parse(std::string code);
  // Evaluates what is lazy in the catalog, and checks it. Not for scripts.
  void finish();
  // Is there more in the catalog than what is always there?
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
  bool is_compiled_ = false;  // before the first code: what that adds is not evaluated lazily
  LogSink& log_;
  std::vector<ProgramPointer> programs_;  // values point into their trees
  Compilation compilation_;
  ParseSettings parse_settings_;
};

}  // namespace bunraku::compilation
