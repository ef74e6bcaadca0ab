// Makes the tree of a template from its script.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/memory/arena.h"
#include "ruby/erb/obstacle.h"
#include "ruby/erb/script.h"
#include "ruby/erb/tree.h"

namespace bunraku::erb {

struct DefineNode;
struct RequiredFiles;

struct ParsedScript {
  const Node* root = nullptr;
  uint32_t slot_count = 0;
  // The names of instance variables, without the @, by their numbers.
  std::vector<std::string_view> instance_variables;
  // The code calls a method that changes an array or a hash.
  bool changes_objects = false;
  // A construct that needs a worker only if it is reached, such as a method that another template
  // has to define.
  std::optional<Obstacle> possible_obstacle;
  // In a function's file: its methods, which no other script sees.
  std::vector<const DefineNode*> methods;
  // The code reads the scope.
  bool uses_scope = false;
  // String literals are frozen (frozen_string_literal).
  bool has_frozen_texts = false;
};

// One signature of a function: one `dispatch` in its file.
struct FunctionDispatch {
  struct Parameter {
    std::string_view type;
    std::string_view name;
    bool is_optional;
    bool is_repeated;
  };
  const DefineNode* method = nullptr;
  std::vector<Parameter> parameters;
  std::string_view return_type;  // null data(): any type
};

// The file of a function of the current interface (Puppet::Functions.create_function), or of the
// older one (newfunction), whose only dispatch is its block.
struct ParsedFunction {
  std::string_view name;
  ParsedScript script;
  std::vector<FunctionDispatch> dispatches;
  std::vector<std::string_view> local_types;
  // For the older interface: how many arguments it takes, and whether it returns a value.
  int64_t arity = -1;
  bool is_rvalue = false;
};

// Parses a template. The tree lives in `arena`. Throws Obstacle for everything outside the
// supported part of Ruby, syntax errors included: a worker reports those.
ParsedScript parse_script(const Script& script, Arena& arena);
// Parses a function's file. Also throws Obstacle for a file that does more than define a function.
// `path` is that of the file; the files of its module that it requires are parsed with it, and
// added to `required`.
ParsedFunction parse_function(const Script& script, Arena& arena, bool is_legacy,
                              const std::string& path, RequiredFiles& required);

}  // namespace bunraku::erb
