// What became of one node of a fleet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostics/diagnostic.h"

namespace bunraku {

// An error or warning of a node's compilation, down to what caused it.
struct NodeProblem {
  Severity severity = Severity::kError;
  std::string code;        // "BK1234"; empty for what is only logged
  std::string issue_code;  // the reference's name; may be empty
  std::string text;        // the innermost message, without its place
  std::string file;        // where that is; empty: nowhere in the code
  uint32_t line = 0;       // 0: not known
  uint32_t column = 0;
};

struct NodeOutcome {
  std::string name;
  bool is_compiled = false;
  bool is_from_cache = false;
  double seconds = 0;
  size_t resources = 0;
  std::vector<NodeProblem> problems;
  std::vector<std::string> untracked;  // why the answer must not be kept
};

// An error or a warning as a problem, by its innermost cause.
NodeProblem problem_of(const Diagnostic& diagnostic);

}  // namespace bunraku
