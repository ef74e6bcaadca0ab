// The survey of an environment's modules, made without compiling: their Ruby parts, which of those
// the program has natively, and names that their code uses and nothing defines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "site/environment/environment.h"

namespace bunraku {

enum class SurveyedKind : uint8_t {
  kFunction,
  kLegacyFunction,
  kResourceType,
  kDataType,
  kTemplate
};
std::string_view name_of(SurveyedKind kind);

// A part of a module that is written in Ruby.
struct SurveyedPart {
  SurveyedKind kind;
  std::string name;
  std::string file;        // relative to the module
  bool is_native = false;  // the program has its own; no Ruby is run for this one
  // Why a template or function needs Ruby, and in which line; empty when it does not.
  std::string obstacle = {};
  int obstacle_line = 0;
};

// A file that does not parse, and its first mistake.
struct BrokenFile {
  std::string file;
  std::string mistake;  // in the form of messages, with its place
};

// A use of a name that is defined nowhere. Its kind is "function", "resource type", "class", or, in
// a template, "variable or method".
struct UnresolvedUse {
  std::string_view kind;
  std::string name;
  std::string file;
  uint32_t line;
};

struct SurveyedModule {
  std::string name;  // "environment" for the environment's own code
  std::string path;
  std::vector<SurveyedPart> parts;
  std::vector<UnresolvedUse> unresolved;
  std::vector<BrokenFile> broken_files;
};

// The environment's own code first, then its modules by name; modules without findings are
// included.
std::vector<SurveyedModule> survey(const Environment& environment);

}  // namespace bunraku
