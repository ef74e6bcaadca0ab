#include <algorithm>
#include <optional>

#include "functions/core/iterators.h"
#include "types/built_in_types.h"
#include "types/relations.h"
#include "values/bounds.h"

namespace bunraku {

namespace {

// A container that is being visited, with its path.
struct Level {
  Value container;
  Value path;
  uint32_t position = 0;
};

// Iterates over the items of a container, as pairs of index or key and value.
class Items {
 public:
  Items(Arena& arena, const TreeOptions& options) : arena_(arena), options_(options) {}

  bool next(Level& level, Value& key, Value& item) const {
    const Value container = level.container;
    if (container.is_array()) {
      if (level.position >= container.as_array().size()) return false;
      key = Value::integer(level.position);
      item = container.as_array()[level.position++];
      return true;
    }
    if (container.is_hash()) {
      if (level.position >= container.as_hash().size) return false;
      key = container.as_hash().entries[level.position].key;
      item = container.as_hash().entries[level.position++].value;
      return true;
    }
    const ObjectInstance& object = container.as_object();
    const ObjectType* type = resolve_alias(object.type)->try_as<ObjectType>();
    if (type == nullptr) return false;
    auto attributes = attributes_of(arena_, *type);
    while (level.position < attributes.size() && level.position < object.attributes.size()) {
      const uint32_t at = level.position++;
      if (attributes[at]->kind == AttributeKind::kReference && !options_.include_references)
        continue;
      key = Value::string(attributes[at]->name);
      item = object.attributes[at];
      return true;
    }
    return false;
  }

  bool is_container(Value value) const {
    if (!value.is_array() && !value.is_hash() && !value.is_object()) return false;
    return options_.container_type == nullptr || is_instance(options_.container_type, value);
  }

 private:
  Arena& arena_;
  const TreeOptions& options_;
};

Value extended(Arena& arena, Value path, Value key) {
  const std::span<const Value> old = path.as_array();
  if (old.size() >= kMaxNesting) fail_too_deep("a value");
  Value* items = arena.make_array<Value>(old.size() + 1);
  std::ranges::copy(old, items);
  items[old.size()] = key;
  return Value::array({items, old.size() + 1});
}

// Levels in arena memory, taken from the end (depth first) or from the front (breadth first).
class Levels {
 public:
  bool empty() const { return first_ == size_; }
  Level& back() { return items_[size_ - 1]; }
  Level& front() { return items_[first_]; }
  void pop_back() { --size_; }
  void pop_front() { ++first_; }
  void push(Arena& arena, Level level) {
    if (size_ == capacity_) grow(arena);
    items_[size_++] = level;
  }

 private:
  void grow(Arena& arena) {
    capacity_ = capacity_ == 0 ? 16 : capacity_ * 2;
    Level* larger = arena.make_array<Level>(capacity_);
    std::uninitialized_copy(items_ + first_, items_ + size_, larger);
    items_ = larger;
    size_ -= first_;
    first_ = 0;
  }
  Level* items_ = nullptr;
  size_t first_ = 0, size_ = 0, capacity_ = 0;
};

class TreeIterator final : public IteratorObject {
 public:
  TreeIterator(Value root, const TreeOptions& options) : root_(root), options_(options) {}

  bool next(Arena& arena, Value& element) override {
    const Items items(arena, options_);
    if (!begun_) {
      begun_ = true;
      if (items.is_container(root_)) levels_.push(arena, {root_, Value::array({})});
      if (options_.include_root && options_.include_containers) {
        element = Value::array(arena, {Value::array({}), root_});
        return true;
      }
    }
    while (!levels_.empty()) {
      Level& level = options_.breadth_first ? levels_.front() : levels_.back();
      Value key, item;
      if (!items.next(level, key, item)) {
        options_.breadth_first ? levels_.pop_front() : levels_.pop_back();
        continue;
      }
      const bool is_container = items.is_container(item);
      // Breadth first, the reference shows values even when they are excluded.
      const bool is_shown = is_container ? options_.include_containers
                                         : options_.include_values || options_.breadth_first;
      if (!is_container && !is_shown) continue;
      const Value path = extended(arena, level.path, key);
      // Shared parts are visited each time that they are reached, with different paths.
      visited_ += path.as_array().size();
      if (visited_ > kMostParts) fail_too_large("a tree");
      if (is_container) levels_.push(arena, {item, path});
      if (!is_shown) continue;
      element = Value::array(arena, {path, item});
      return true;
    }
    return false;
  }
  IteratorObject* rewound(Arena& arena) const override {
    return make_tree_iterator(arena, root_, options_);
  }
  const Type* element_type() const override { return types::kAny; }

 private:
  Value root_;
  TreeOptions options_;
  Levels levels_;
  size_t visited_ = 0;  // the items visited, each counted with the length of its path
  bool begun_ = false;
};

}  // namespace

IteratorObject* make_tree_iterator(Arena& arena, Value root, const TreeOptions& options) {
  return new (arena.allocate(sizeof(TreeIterator), alignof(TreeIterator)))
      TreeIterator(root, options);
}

}  // namespace bunraku
