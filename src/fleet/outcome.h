// The result of one node of a fleet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostics/diagnostic.h"

namespace bunraku {

// An error or warning of a node's compilation, reduced to its cause.
struct NodeProblem {
  Severity severity = Severity::kError;
  std::string code;        // "BK1234"; empty for log messages
  std::string issue_code;  // the reference's name; may be empty
  std::string text;        // the innermost message, without its place
  std::string file;        // the file of that place; empty: none
  uint32_t line = 0;       // 0: unknown
  uint32_t column = 0;
};

struct NodeOutcome {
  std::string name;
  bool is_compiled = false;
  bool is_from_cache = false;
  double seconds = 0;
  size_t resources = 0;
  std::vector<NodeProblem> problems;
  std::vector<std::string> untracked;  // the reasons why the answer must not be cached
};

// Makes a problem from an error or warning, by its innermost cause.
NodeProblem problem_of(const Diagnostic& diagnostic);

}  // namespace bunraku
