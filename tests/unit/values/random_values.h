// Random types and values for tests of what holds for all of them.
#pragma once

#include <rapidcheck.h>

#include <string>

#include "values/type.h"

namespace bunraku::testing {

// The text of a random type; shallow ones are likelier. Left out is what the reference's own rules
// do not hold for: NotUndef of a type that takes undef does not take itself, and Sensitive widens
// what it is given each time it is read.
rc::Gen<std::string> type_text(int depth);

// Of the kinds that JSON has, and default; keys of hashes are any of them.
Value plain_value(Arena& arena, int depth);

// Text with quotes, control characters and letters from beyond ASCII.
std::string random_text();

// Scalars of one kind that have a text, and what it is called.
struct ScalarKind {
  const char* type;
  Value (*make)(Arena& arena);
};
std::span<const ScalarKind> scalar_kinds();

// Of every kind that can be written down, containers and types among them.
Value rich_value(Arena& arena, int depth);

}  // namespace bunraku::testing
