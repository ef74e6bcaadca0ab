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

struct ParsedScript {
  const Node* root = nullptr;
  uint32_t slot_count = 0;
  // The names of instance variables, without the @, by their numbers.
  std::vector<std::string_view> instance_variables;
  // Does it call a method that changes an array or a hash?
  bool changes_objects = false;
  // What needs Ruby if it is reached, such as a method that another template has to define.
  std::optional<Obstacle> possible_obstacle;
};

// The tree lives in `arena`. Throws Obstacle for all that is not in the tree's part of Ruby, what
// is no Ruby at all included: Ruby reports that.
ParsedScript parse_script(const Script& script, Arena& arena);

}  // namespace bunraku::erb
