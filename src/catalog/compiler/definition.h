// Classes, defines and nodes in one compilation.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/memory/name.h"
#include "base/memory/name_index.h"
#include "evaluation/function.h"
#include "syntax/tree.h"
#include "values/type.h"

namespace bunraku {

class Regex;
class Scope;

struct Definition {
  enum class Kind : uint8_t { kClass, kDefine, kNode };

  // One section of code; only the main class has several, one per initial manifest.
  struct Body {
    ProgramPointer program;
    const Expression* expression;  // null: none
  };

  Kind kind;
  Name name;         // down-cased; for a node with a regular expression the mangled name
  Name parent_name;  // no name: none
  Name module_name;  // no name: none; empty text: the environment's manifests
  ParameterList parameters;
  NameIndex parameter_index;                     // the index of `parameters`
  std::span<const Type* const> parameter_types;  // null where none is declared
  std::vector<Body> bodies;
  Place place;                     // null for definitions of the compiler itself
  const Regex* pattern = nullptr;  // for nodes
  Definition* parent = nullptr;    // set after it was searched
  Scope* scope = nullptr;          // set when a class or node was evaluated
  // A collector of this source has overridden something: from then on its overrides are
  // unrestricted.
  bool overrides_freely = false;

  bool is_class() const { return kind == Kind::kClass; }
  bool is_define() const { return kind == Kind::kDefine; }
  bool is_node() const { return kind == Kind::kNode; }
  const Parameter* find_parameter(Name parameter, size_t* number = nullptr) const;
  // Returns whether this, as the source of an override, may change what `other` has set.
  bool is_child_of(const Definition* other) const;
};

}  // namespace bunraku
