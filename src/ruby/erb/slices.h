// The part of an array or string that [start, length] and [range] select.
#pragma once

#include <optional>

#include "ruby/erb/interpreter.h"

namespace bunraku::erb {

struct Slice {
  size_t begin;
  size_t size;
};

// Returns nothing when the slice begins beyond the end (`length` elements).
std::optional<Slice> slice_of(Interpreter& ruby, const Arguments& arguments, size_t length);

}  // namespace bunraku::erb
