// What the modules of an environment are made of, without compiling anything: what of them is in
// Ruby, what of that the program has natively, and what their code uses that is not there.
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

// Something that a module has in Ruby.
struct SurveyedPart {
  SurveyedKind kind;
  std::string name;
  std::string file;        // relative to the module
  bool is_native = false;  // the program has the same itself: no Ruby is run for it
  // Of a template or function that is not: what it needs Ruby for, and in which line.
  std::string obstacle = {};
  int obstacle_line = 0;
};

// A file that does not parse, and its first mistake.
struct BrokenFile {
  std::string file;
  std::string mistake;  // as messages show it, with its place
};

// Something that code uses and that is defined nowhere.
struct UnresolvedUse {
  std::string_view kind;  // "function", "resource type", "class"
  std::string name;
  std::string file;
  uint32_t line;
};

struct SurveyedModule {
  std::string name;  // of the environment's own code "environment"
  std::string path;
  std::vector<SurveyedPart> parts;
  std::vector<UnresolvedUse> unresolved;
  std::vector<BrokenFile> broken_files;
};

// The environment's own code first, then its modules by name; modules without findings are
// included.
std::vector<SurveyedModule> survey(const Environment& environment);

}  // namespace bunraku
