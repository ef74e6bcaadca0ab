// The identity of arrays and hashes: code in Ruby can change an object in place, for all its
// holders. Values never change; the holders of a changed object get a new value instead.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <span>
#include <utility>

#include "base/memory/arena.h"
#include "values/bounds.h"
#include "values/value.h"

namespace bunraku {

// One array or hash before and after a change of its own elements. A change of a part is a change
// of its own: the value that contains the part needs none.
struct ObjectChange {
  Value before;
  Value after;
};

// Finds changed objects within values. Objects are the same when they are at the same place in
// memory; an empty array without an address is never found.
class ChangedObjects {
 public:
  // New values are made in the arena.
  ChangedObjects(Arena& arena, std::span<const ObjectChange> changes);

  // Returns the value with the new content of each changed object; the value itself when there is
  // none in it. Throws EvaluationError for a value that is too deep or too large.
  Value updated(Value value);

 private:
  using Identity = std::pair<const void*, size_t>;
  Value with_updated_parts(Value value);
  // Updates the value itself. Returns whether it has changed.
  bool replace_in(Value& value);

  Arena& arena_;
  Nesting nesting_;
  boost::unordered_flat_map<Identity, Value> known_;
};

// Returns a copy with its own arrays and hashes. Throws EvaluationError for a value that is too
// deep or too large.
Value unshared(Arena& arena, Value value);

}  // namespace bunraku
