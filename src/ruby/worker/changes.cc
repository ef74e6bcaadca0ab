#include "ruby/worker/changes.h"

#include <vector>

#include "evaluation/object_holders.h"

namespace bunraku {

namespace {

// Returns undef when there is nothing at the path.
Value at_path(Value value, Value path) {
  for (const Value key : path.as_array()) {
    if (value.is_array()) {
      const std::span<const Value> items = value.as_array();
      const bool is_index = key.is_integer() && key.as_integer() >= 0 &&
                            static_cast<size_t>(key.as_integer()) < items.size();
      value = is_index ? items[static_cast<size_t>(key.as_integer())] : Value();
    } else if (value.is_hash()) {
      const Value* found = value.as_hash().find(key);
      value = found == nullptr ? Value() : *found;
    } else {
      return Value();
    }
  }
  return value;
}

}  // namespace

void change_ruby_objects(Evaluator& evaluator, Scope& scope, Value root, Value changes) {
  if (!changes.is_array()) return;
  std::vector<ObjectChange> found;
  for (const Value change : changes.as_array()) {
    if (!change.is_array() || change.as_array().size() != 2) continue;
    const Value path = change.as_array()[0];
    if (!path.is_array()) continue;
    const Value before = at_path(root, path);
    const Value after = change.as_array()[1];
    if (before.kind() == after.kind()) found.push_back({before, after});
  }
  update_holders(evaluator, scope, found);
}

}  // namespace bunraku
