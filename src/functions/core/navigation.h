// Following a path into nested data, for `dig`, `get` and `getvar`.
#pragma once

#include <string>
#include <string_view>

#include "evaluation/function.h"

namespace bunraku {

// The error that stopped a walk along a path: the data of the reference's Error.
struct NavigationError {
  std::string message;
  std::string_view issue_code;
  std::string_view type_key;  // "value_type" or "index_type"
  const Type* type = nullptr;
  Value walked_path;
};

// Sets `found` to the value at the end of `path`, or to undef when a value on the way is undef.
// Returns false when a step leads into something other than a collection, or indexes an array by
// something other than an integer.
bool dig(Arena& arena, Value data, std::span<const Value> path, Value& found,
         NavigationError& error);

// Parses "a.1.'b.c'" as the path ['a', 1, 'b.c']. Returns false when it is malformed. A key without
// dots and quotes is a path of one segment.
bool split_path(Arena& arena, std::string_view text, Value& path);

}  // namespace bunraku
