// Classes, defines and nodes, as one compilation knows them.
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

  // One stretch of code; only the main class has several, one for each initial manifest.
  struct Body {
    ProgramPointer program;
    const Expression* expression;  // null: none
  };

  Kind kind;
  Name name;         // down-cased; of a node with a regular expression the mangled name
  Name parent_name;  // no name: none
  Name module_name;  // no name: none; empty text: the environment's manifests
  ParameterList parameters;
  NameIndex parameter_index;                     // of these
  std::span<const Type* const> parameter_types;  // null where none is declared
  std::vector<Body> bodies;
  Place place;                     // null for what the compiler makes itself
  const Regex* pattern = nullptr;  // of a node
  Definition* parent = nullptr;    // once it was looked for
  Scope* scope = nullptr;          // of a class or node once it was evaluated
  // A collector of this source has overridden something: its overrides may do anything from now on.
  bool overrides_freely = false;

  bool is_class() const { return kind == Kind::kClass; }
  bool is_define() const { return kind == Kind::kDefine; }
  bool is_node() const { return kind == Kind::kNode; }
  const Parameter* find_parameter(Name parameter, size_t* number = nullptr) const;
  // May this, as the source of an override, change what `other` has set?
  bool is_child_of(const Definition* other) const;
};

}  // namespace bunraku
