// Lazy iterators: chains of step and reverse_each over a sequence walk it by index, without making
// arrays in between.
#pragma once

#include "values/type.h"

namespace bunraku {

// Makes an iterator over an Iterable value; null when the value cannot be walked (a negative
// integer, an unbounded range). An iterator value returns a fresh copy of itself.
IteratorObject* make_iterator(Arena& arena, Value iterable);

// Every `step`th element, from the first on. `iterator` is fresh and belongs to the result.
IteratorObject* make_step_iterator(Arena& arena, IteratorObject* iterator, int64_t step);
// From the last element to the first.
IteratorObject* make_reverse_iterator(Arena& arena, IteratorObject* iterator);

struct TreeOptions {
  const Type* container_type = nullptr;  // null: Array, Hash and Object
  bool include_root = true;
  bool include_containers = true;
  bool include_values = true;
  bool include_references = false;
  bool breadth_first = false;
};
// Pairs of path and value of a nested value.
IteratorObject* make_tree_iterator(Arena& arena, Value root, const TreeOptions& options);

}  // namespace bunraku
