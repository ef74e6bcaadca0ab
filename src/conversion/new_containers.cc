#include <fmt/format.h>

#include <memory>
#include <vector>

#include "base/text/utf8.h"
#include "conversion/new_function.h"
#include "types/built_in_types.h"
#include "types/relations.h"
#include "types/ruby_value_text.h"
#include "values/bounds.h"
#include "values/conversion_error.h"

namespace bunraku {

namespace {

// --- what can be iterated -----------------------------------------------------------------------

// The elements of an array, hash, string, number, range type, Enum type or iterator.
Value elements_of(Arena& arena, Value from) {
  ArrayBuilder elements(arena);
  auto count_up = [&](int64_t first, int64_t last) {
    if (last >= first &&
        static_cast<uint64_t>(last) - static_cast<uint64_t>(first) >= kMostElements) {
      fail_conversion(
          Issue::kInvalidTree,
          {fmt::format("An Array of the integers from {} to {} is too large", first, last)});
    }
    for (int64_t i = first; i <= last; i++) elements.push(Value::integer(i));
  };
  switch (from.kind()) {
    case ValueKind::kArray:
      return from;
    case ValueKind::kHash:
      for (const HashEntry& entry : from.as_hash()) {
        elements.push(Value::array(arena, {entry.key, entry.value}));
      }
      break;
    case ValueKind::kBinary:
      for (const char byte : from.as_binary()) {
        elements.push(Value::integer(static_cast<unsigned char>(byte)));
      }
      break;
    case ValueKind::kString: {
      const std::string_view text = from.as_string();
      for (size_t at = 0; at < text.size();) {
        const size_t start = at;
        next_character(text, at);
        elements.push(Value::string(text.substr(start, at - start)));
      }
      break;
    }
    case ValueKind::kInteger:
      count_up(0, from.as_integer() - 1);
      break;
    case ValueKind::kType: {
      const Type* type = resolve_alias(from.as_type());
      if (const auto* range = type->try_as<IntegerType>())
        count_up(range->range.from, range->range.to);
      if (const auto* names = type->try_as<EnumType>()) {
        for (const std::string_view name : names->values) elements.push(Value::string(name));
      }
      break;
    }
    case ValueKind::kIterator: {
      IteratorObject* walk = from.as_iterator().rewound(arena);
      for (Value element; walk->next(arena, element);) elements.push(element);
      break;
    }
    default:
      break;
  }
  return elements.finish();
}

// --- Array --------------------------------------------------------------------------------------

Value to_array(const NewCall& call) {
  return elements_of(call.arena, call.argument(0));
}

Value wrapped_array(const NewCall& call) {
  const Value from = call.argument(0);
  return from.is_array() ? from : Value::array(call.arena, {from});
}

Value refuse_array(const NewCall& call) {
  fail_not_convertible(call, "Array");
}

// --- Hash from a tree ---------------------------------------------------------------------------

// The limit of gaps in arrays, against exhaustion of memory.
constexpr int64_t kLongestGap = 1 << 20;

// A container under construction.
struct Tree {
  Value leaf;  // used when it is no container
  bool is_array = false;
  bool is_hash = false;
  std::vector<std::pair<Value, std::unique_ptr<Tree>>> members;  // keys are empty for an array
};

std::unique_ptr<Tree> make_tree(Value value) {
  auto tree = std::make_unique<Tree>();
  tree->leaf = value;
  return tree;
}

std::unique_ptr<Tree> make_hash_tree() {
  auto tree = std::make_unique<Tree>();
  tree->is_hash = true;
  return tree;
}

// Turns a container value into a Tree, one level deep, before something is added to it.
void open(Tree& tree) {
  if (tree.is_array || tree.is_hash) return;
  if (tree.leaf.is_array()) {
    tree.is_array = true;
    for (const Value item : tree.leaf.as_array())
      tree.members.emplace_back(Value(), make_tree(item));
  } else if (tree.leaf.is_hash()) {
    tree.is_hash = true;
    for (const HashEntry& entry : tree.leaf.as_hash()) {
      tree.members.emplace_back(entry.key, make_tree(entry.value));
    }
  } else {
    fail_conversion(
        Issue::kInvalidTree,
        {fmt::format("a {} in the tree cannot hold anything",
                     tree.leaf.is_undef() ? "missing value" : ruby_class_name(tree.leaf))});
  }
}

// Returns the slot of an array's index, created when it is beyond the end.
std::unique_ptr<Tree>& array_slot(Tree& tree, Value key) {
  if (!key.is_integer()) {
    fail_conversion(Issue::kNoImplicitConversion,
                    {fmt::format("no implicit conversion of {} into Integer", ruby_noun(key))});
  }
  auto size = static_cast<int64_t>(tree.members.size());
  int64_t index = key.as_integer() < 0 ? key.as_integer() + size : key.as_integer();
  if (index < 0) {
    fail_conversion(Issue::kInvalidTree, {fmt::format("index {} too small for array; minimum: -{}",
                                                      key.as_integer(), size)});
  }
  if (index - size > kLongestGap)
    fail_conversion(Issue::kInvalidTree, {fmt::format("index {} too big", index)});
  while (static_cast<int64_t>(tree.members.size()) <= index) {
    tree.members.emplace_back(Value(), make_tree(Value()));
  }
  return tree.members[static_cast<size_t>(index)].second;
}

std::unique_ptr<Tree>& hash_slot(Tree& tree, Value key, bool& is_new) {
  for (auto& [known, member] : tree.members) {
    if (identical(known, key)) return member;
  }
  is_new = true;
  tree.members.emplace_back(key, make_tree(Value()));
  return tree.members.back().second;
}

// Returns the tree at the end of the path, with hashes created for missing parts.
Tree& descend(Tree& root, std::span<const Value> path) {
  Tree* at = &root;
  for (const Value key : path) {
    open(*at);
    if (at->is_array) {
      at = array_slot(*at, key).get();
    } else {
      bool is_new = false;
      std::unique_ptr<Tree>& slot = hash_slot(*at, key, is_new);
      if (is_new) slot = make_hash_tree();
      at = slot.get();
    }
  }
  open(*at);
  return *at;
}

void put(Tree& tree, Value key, Value value) {
  bool is_new = false;
  (tree.is_array ? array_slot(tree, key) : hash_slot(tree, key, is_new)) = make_tree(value);
}

// Converts arrays to hashes from index to element, recursively.
Value array_as_hash(Arena& arena, Value value) {
  static thread_local Nesting nesting;
  const NestingGuard guard(nesting, "a value");
  if (!value.is_array()) return value;
  HashBuilder hash(arena, value.as_array().size());
  int64_t index = 0;
  for (const Value item : value.as_array()) {
    hash.set(Value::integer(index++), array_as_hash(arena, item));
  }
  return hash.finish();
}

void merge_into_root(Tree& root, Value value) {
  if (value.is_array()) {
    int64_t index = 0;
    for (const Value item : value.as_array()) put(root, Value::integer(index++), item);
  } else if (value.is_hash()) {
    for (const HashEntry& entry : value.as_hash()) put(root, entry.key, entry.value);
  } else {
    fail_conversion(Issue::kNoImplicitConversion,
                    {fmt::format("no implicit conversion of {} into Hash", ruby_noun(value))});
  }
}

Value finish(Arena& arena, const Tree& tree) {
  static thread_local Nesting nesting;
  const NestingGuard guard(nesting, "a value");
  if (tree.is_array) {
    ArrayBuilder items(arena, tree.members.size());
    for (const auto& [key, member] : tree.members) items.push(finish(arena, *member));
    return items.finish();
  }
  if (tree.is_hash) {
    HashBuilder hash(arena, tree.members.size());
    for (const auto& [key, member] : tree.members) hash.set(key, finish(arena, *member));
    return hash.finish();
  }
  return tree.leaf;
}

Value hash_from_pairs(Arena& arena, std::span<const Value> pairs) {
  HashBuilder hash(arena, pairs.size());
  for (const Value pair : pairs) hash.set(pair.as_array()[0], pair.as_array()[1]);
  return hash.finish();
}

Value hash_from_tree(const NewCall& call) {
  const std::span<const Value> entries = call.argument(0).as_array();
  const Value option = call.argument(1);
  if (!option.is_string()) return hash_from_pairs(call.arena, entries);
  const bool all_hashes = option.as_string() == "hash_tree";
  std::unique_ptr<Tree> root = make_hash_tree();
  for (const Value entry : entries) {
    const std::span<const Value> path = entry.as_array()[0].as_array();
    const Value value = entry.as_array()[1];
    if (path.empty()) {
      merge_into_root(*root, value);
    } else {
      Tree& holder = descend(*root, path.first(path.size() - 1));
      put(holder, path.back(), all_hashes ? array_as_hash(call.arena, value) : value);
    }
  }
  return finish(call.arena, *root);
}

// --- Hash ---------------------------------------------------------------------------------------

Value hash_from_tuples(const NewCall& call) {
  return hash_from_pairs(call.arena, call.argument(0).as_array());
}

Value hash_from_any(const NewCall& call) {
  Value from = call.argument(0);
  if (from.is_hash()) return from;
  if (!from.is_array() && !is_instance(types::kIterable, from)) {
    std::string type = type_text_of(call.arena, from);
    fail_conversion(Issue::kNotConvertible,
                    {fmt::format("Value of type {} cannot be converted to Hash", type)});
  }
  const Value elements = elements_of(call.arena, from);
  const std::span<const Value> items = elements.as_array();
  if (items.size() % 2 != 0)
    fail_conversion(Issue::kNotConvertible, {"odd number of arguments for Hash"});
  HashBuilder hash(call.arena, items.size() / 2);
  for (size_t i = 0; i < items.size(); i += 2) hash.set(items[i], items[i + 1]);
  return hash.finish();
}

}  // namespace

NewImplementation container_implementation(NewForm form) {
  switch (form) {
    case NewForm::kToArray:
      return to_array;
    case NewForm::kWrappedArray:
      return wrapped_array;
    case NewForm::kRefuseArray:
      return refuse_array;
    case NewForm::kHashFromTree:
      return hash_from_tree;
    case NewForm::kHashFromTuples:
      return hash_from_tuples;
    case NewForm::kHashFromAny:
      return hash_from_any;
    default:
      return nullptr;
  }
}

}  // namespace bunraku
