#include "values/changed_objects.h"

#include <optional>

namespace bunraku {

namespace {

bool is_container(Value value) {
  return (value.is_array() && value.as_array().data() != nullptr) || value.is_hash();
}

}  // namespace

ChangedObjects::Identity ChangedObjects::identity_of(Value value) {
  if (value.is_array()) return {value.as_array().data(), value.as_array().size()};
  return {&value.as_hash(), 0};
}

ChangedObjects::ChangedObjects(Arena& arena, std::span<const ObjectChange> changes)
    : arena_(arena) {
  for (const ObjectChange& change : changes) {
    if (is_container(change.before)) known_.emplace(identity_of(change.before), change.after);
  }
}

Value ChangedObjects::updated(Value value) {
  replace_in(value);
  return value;
}

bool ChangedObjects::replace_in(Value& value) {
  if (!is_container(value) && !value.is_sensitive()) return false;
  const NestingGuard guard(nesting_, "a value that Ruby code has changed");
  if (value.is_sensitive()) {
    Value hidden = value.as_sensitive();
    if (!replace_in(hidden)) return false;
    value = Value::sensitive(arena_, hidden);
    return true;
  }
  const Identity before = identity_of(value);
  const auto found = known_.find(before);
  if (found != known_.end()) {
    value = found->second;
  } else {
    value = with_updated_parts(value);
    known_.emplace(before, value);
  }
  return identity_of(value) != before;
}

// Nothing is allocated for a value without changed parts.
Value ChangedObjects::with_updated_parts(Value value) {
  if (value.is_array()) {
    const std::span<const Value> items = value.as_array();
    std::optional<ArrayBuilder> changed;
    for (size_t i = 0; i < items.size(); ++i) {
      Value item = items[i];
      const bool is_changed = replace_in(item);
      if (!changed) {
        if (!is_changed) continue;
        changed.emplace(arena_, items.size()).push_all(items.first(i));
      }
      changed->push(item);
    }
    return changed ? changed->finish() : value;
  }
  const HashObject& hash = value.as_hash();
  std::optional<HashBuilder> changed;
  for (const HashEntry& entry : hash) {
    Value item = entry.value;
    const bool is_changed = replace_in(item);
    if (!changed) {
      if (!is_changed) continue;
      changed.emplace(arena_, hash.size);
      for (const HashEntry* known = hash.begin(); known != &entry; ++known) {
        changed->set(known->key, known->value);
      }
    }
    changed->set(entry.key, item);
  }
  return changed ? changed->finish() : value;
}

namespace {

Value copy_of(Arena& arena, Value value, Nesting& nesting) {
  if (!is_container(value)) return value;
  const NestingGuard guard(nesting, "a value");
  if (value.is_array()) {
    if (value.as_array().empty()) return Value::array({arena.make_array<Value>(1), 0});
    const std::span<Value> items = arena.copy(value.as_array());
    for (Value& item : items) item = copy_of(arena, item, nesting);
    return Value::array(items);
  }
  HashObject copy = value.as_hash();
  const std::span<HashEntry> entries = arena.copy(copy.items());
  for (HashEntry& entry : entries) {
    entry.key = copy_of(arena, entry.key, nesting);
    entry.value = copy_of(arena, entry.value, nesting);
  }
  copy.entries = entries.data();
  return Value::hash(arena.make<HashObject>(copy));
}

}  // namespace

Value unshared(Arena& arena, Value value) {
  Nesting nesting;
  return copy_of(arena, value, nesting);
}

}  // namespace bunraku
