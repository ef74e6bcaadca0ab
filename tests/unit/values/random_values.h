// Random types and values for tests of general properties.
#pragma once

#include <rapidcheck.h>

#include <string>

#include "values/type.h"

namespace bunraku::testing {

// The text of a random type; shallow types are more frequent. Types for which the reference
// violates its own rules are left out: NotUndef of a type that accepts undef does not accept
// itself, and Sensitive widens its parameter each time it is parsed.
rc::Gen<std::string> type_text(int depth);

// A value of the kinds in JSON, or default; keys of hashes may be any of them.
Value plain_value(Arena& arena, int depth);

// Text with quotes, control characters and letters beyond ASCII.
std::string random_text();

// The scalars of one kind with a text form, and the name of the kind.
struct ScalarKind {
  const char* type;
  Value (*make)(Arena& arena);
};
std::span<const ScalarKind> scalar_kinds();

// A value of any kind with a text form, including containers and types.
Value rich_value(Arena& arena, int depth);

}  // namespace bunraku::testing
