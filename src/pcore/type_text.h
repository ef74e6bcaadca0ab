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

// A mistake in Type[keys...], without a place but with the part of the expression that it lies in.
class AccessError : public EvaluationError {
 public:
  static constexpr int kWhole = -1;  // all of it
  static constexpr int kLeft = -2;   // what stands before the bracket
  AccessError(Diagnostic diagnostic, int blamed)
      : EvaluationError(std::move(diagnostic)), blamed_(blamed) {}
  // kWhole, kLeft, or the number of a key (one beyond the last is the whole).
  int blamed() const { return blamed_; }

 private:
  int blamed_;
};

// Applies parameters to a type: the language's Type[keys...]. Throws AccessError with the
// reference's issue and message; the place is filled in by the caller. Also Class['x'],
// Resource['File', 't'], File['x']. Throws EvaluationError where the reference raises something
// without an issue of its own.
const Type* parameterize(Arena& arena, const Type* type, std::span<const Value> keys,
                         TypeResolver* resolver);

}  // namespace bunraku
