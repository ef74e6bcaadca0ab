// Types as text, and text as types.
#pragma once

#include <string>
#include <string_view>

#include "pcore/type.h"
#include "support/diagnostic.h"

namespace bunraku {

// The canonical text: Array[Variant[Integer[1, 2], String]]. Aliases by their name.
std::string to_text(const Type* type);
// With aliases replaced by what they stand for, as mismatch messages show them.
std::string to_expanded_text(const Type* type);

// Finds types by name when text or code is turned into types. Implemented above pcore by what loads
// type aliases from modules.
class TypeResolver {
 public:
  virtual ~TypeResolver() = default;
  // `name` as written. Null when there is none: a TypeReference is made then.
  virtual const Type* find_type(std::string_view name) = 0;
};

// Parses a type's text. Throws EvaluationError when it is not the text of a type. `resolver` may be
// null: only built-in types are known then, other upper-case names are resource types or references
// as in the reference.
const Type* parse_type(Arena& arena, std::string_view text, TypeResolver* resolver);

// Applies parameters to a type: the language's Type[keys...]. Throws EvaluationError with the
// reference's message; places are filled in by the caller. Also Class['x'], Resource['File', 't'],
// File['x'].
const Type* parameterize(Arena& arena, const Type* type, std::span<const Value> keys,
                         TypeResolver* resolver);

}  // namespace bunraku
