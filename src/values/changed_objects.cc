#include "values/changed_objects.h"

#include <optional>

namespace bunraku {

namespace {

bool is_container(Value value) {
  return (value.is_array() && value.as_array().data() != nullptr) || value.is_hash();
}

// Of an array or a hash.
std::pair<const void*, size_t> identity_of(Value value) {
  if (value.is_array()) return {value.as_array().data(), value.as_array().size()};
  return {&value.as_hash(), 0};
}

}  // namespace

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

class Copier {
 public:
  explicit Copier(Arena& arena) : arena_(arena) {}

  Value copy(Value value) {
    if (!value.is_array() && !value.is_hash()) return value;
    const NestingGuard guard(nesting_, "a value");
    if (++count_ <= kMostSeparate) return copy_container(value);
    const auto known = copies_.find(identity_of(value));
    if (known != copies_.end()) return known->second;
    const Value result = copy_container(value);
    copies_.emplace(identity_of(value), result);
    return result;
  }

 private:
  // A part that a value contains several times is copied each time, except in values with more
  // parts than this: a part may contain another one twice, and so on for 60 levels.
  static constexpr size_t kMostSeparate = 1000;

  Value copy_container(Value value) {
    if (value.is_array()) {
      if (value.as_array().empty()) return Value::array({arena_.make_array<Value>(1), 0});
      const std::span<Value> items = arena_.copy(value.as_array());
      for (Value& item : items) item = copy(item);
      return Value::array(items);
    }
    HashObject result = value.as_hash();
    const std::span<HashEntry> entries = arena_.copy(result.items());
    for (HashEntry& entry : entries) {
      entry.key = copy(entry.key);
      entry.value = copy(entry.value);
    }
    result.entries = entries.data();
    return Value::hash(arena_.make<HashObject>(result));
  }

  Arena& arena_;
  Nesting nesting_;
  size_t count_ = 0;
  boost::unordered_flat_map<std::pair<const void*, size_t>, Value> copies_;
};

}  // namespace

Value unshared(Arena& arena, Value value) {
  return Copier(arena).copy(value);
}

}  // namespace bunraku
