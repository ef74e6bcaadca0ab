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

struct ParsedScript {
  const Node* root = nullptr;
  uint32_t slot_count = 0;
  // The names of instance variables, without the @, by their numbers.
  std::vector<std::string_view> instance_variables;
  // Does it call a method that changes an array or a hash?
  bool changes_objects = false;
  // What needs Ruby if it is reached, such as a method that another template has to define.
  std::optional<Obstacle> possible_obstacle;
  // Of a function's file: its methods, which no other script sees.
  std::vector<const DefineNode*> methods;
  // Does it look at the scope?
  bool uses_scope = false;
  // Are texts that stand in the code frozen?
  bool has_frozen_texts = false;
};

// One way to call a function of a file, as its `dispatch` has it.
struct FunctionDispatch {
  struct Parameter {
    std::string_view type;
    std::string_view name;
    bool is_optional;
    bool is_repeated;
  };
  const DefineNode* method = nullptr;
  std::vector<Parameter> parameters;
  std::string_view return_type;  // null data(): any
};

// The file of a function of the current interface (Puppet::Functions.create_function), or of the
// older one (newfunction), whose only dispatch is its block.
struct ParsedFunction {
  std::string_view name;
  ParsedScript script;
  std::vector<FunctionDispatch> dispatches;
  std::vector<std::string_view> local_types;
  // Of the older interface: how many arguments it takes, and whether it gives a value.
  int64_t arity = -1;
  bool is_rvalue = false;
};

// The tree lives in `arena`. Throws Obstacle for all that is not in the tree's part of Ruby, what
// is no Ruby at all included: Ruby reports that.
ParsedScript parse_script(const Script& script, Arena& arena);
// The same for the code of a function's file. Throws Obstacle, too, for a file that does more than
// to define a function.
ParsedFunction parse_function(const Script& script, Arena& arena, bool is_legacy);

}  // namespace bunraku::erb
