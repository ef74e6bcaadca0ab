// Following a path into nested data, for `dig`, `get` and `getvar`.
#pragma once

#include <string>
#include <string_view>

#include "evaluation/function.h"

namespace bunraku {

// What stops a walk along a path: the data of the reference's Error.
struct NavigationError {
  std::string message;
  std::string_view issue_code;
  std::string_view type_key;  // "value_type" or "index_type"
  const Type* type = nullptr;
  Value walked_path;
};

// The value at the end of `path`; undef when something on the way is undef. False when a step goes
// into what is no collection, or into an array with what is no integer.
bool dig(Arena& arena, Value data, std::span<const Value> path, Value& found,
         NavigationError& error);

// "a.1.'b.c'" as a path: ['a', 1, 'b.c']. False when it is not well-formed. A key without dots and
// quotes is a path of one.
bool split_path(Arena& arena, std::string_view text, Value& path);

}  // namespace bunraku
