#include "base/formats/hocon_tree.h"

namespace bunraku::hocon {
namespace {

// The limit of strings, which substitutions could double repeatedly.
constexpr size_t kLongestText = size_t{64} << 20;

void check_depth(uint32_t line, int depth) {
  if (depth > kDeepest) fail(line, "The value is nested more than 500 levels deep");
}

std::string shown(const Node& node) {
  if (node.kind == NodeKind::kObject) return "an object";
  return node.kind == NodeKind::kArray ? "a list" : "'" + node.text + "'";
}

void append_field(Node& object, const std::string& key, Node* value) {
  object.positions.emplace(key, object.items.size());
  object.keys.push_back(key);
  object.items.push_back(value);
  object.is_open = object.is_open || is_open(*value);
}

Node* layered(Tree& tree, Node* over, Node* under) {
  Node* merge = tree.make(NodeKind::kMerge, over->line);
  for (Node* part : {over, under}) {
    if (part->kind == NodeKind::kMerge)
      merge->items.insert(merge->items.end(), part->items.begin(), part->items.end());
    else
      merge->items.push_back(part);
  }
  return merge;
}

Node* with_fallback(Tree& tree, Node* over, Node* under, int depth) {
  if (over->kind == NodeKind::kObject && under->kind == NodeKind::kObject) {
    return merge_objects(tree, *over, *under, depth + 1);
  }
  const bool over_waits = over->kind != NodeKind::kObject && is_open(*over);
  const bool under_waits = !under->is_collection() && is_open(*under);
  if (over_waits || (over->kind == NodeKind::kObject && under_waits)) {
    return layered(tree, over, under);
  }
  return over;
}

}  // namespace

void fail(uint32_t line, const std::string& message) {
  throw DataError("String: " + std::to_string(line) + ": " + message, line);
}

bool is_open(const Node& node) {
  switch (node.kind) {
    case NodeKind::kScalar:
    case NodeKind::kText:
      return false;
    case NodeKind::kArray:
    case NodeKind::kObject:
      return node.is_open;
    default:
      return true;
  }
}

Node* merge_objects(Tree& tree, const Node& over, const Node& under, int depth) {
  check_depth(over.line, depth);
  Node* merged = tree.make(NodeKind::kObject, over.line);
  for (size_t i = 0; i < over.items.size(); ++i) {
    Node* below = under.find(over.keys[i]);
    append_field(
        *merged, over.keys[i],
        below == nullptr ? over.items[i] : with_fallback(tree, over.items[i], below, depth));
  }
  for (size_t i = 0; i < under.items.size(); ++i) {
    if (over.find(under.keys[i]) == nullptr) append_field(*merged, under.keys[i], under.items[i]);
  }
  return merged;
}

void set_field(Tree& tree, Node& object, const std::string& key, Node* value, int depth) {
  auto at = object.positions.find(key);
  if (at == object.positions.end()) return append_field(object, key, value);
  Node*& there = object.items[at->second];
  there = with_fallback(tree, value, there, depth);
  object.is_open = object.is_open || is_open(*there);
}

Node* join(Tree& tree, Node* left, Node* right) {
  if (left->kind == NodeKind::kObject && right->kind == NodeKind::kObject) {
    return merge_objects(tree, *right, *left);
  }
  if (left->kind == NodeKind::kArray && right->kind == NodeKind::kArray) {
    Node* joined = tree.make(NodeKind::kArray, left->line);
    joined->items = left->items;
    joined->items.insert(joined->items.end(), right->items.begin(), right->items.end());
    joined->is_open = left->is_open || right->is_open;
    return joined;
  }
  if (left->is_collection() && right->is_bare) return left;
  if (left->is_collection() || right->is_collection()) {
    fail(left->line, "Cannot concatenate object or list with a non-object-or-list, " +
                         shown(*left) + " and " + shown(*right) + " are not compatible");
  }
  if (left->text.size() + right->text.size() > kLongestText) {
    fail(left->line, "The text that substitutions make is too long");
  }
  return tree.text(left->text + right->text, left->line, false);
}

}  // namespace bunraku::hocon
