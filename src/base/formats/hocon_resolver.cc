#include <algorithm>
#include <cstdlib>
#include <string>

#include "base/formats/data_builder.h"
#include "base/formats/hocon.h"
#include "base/formats/hocon_tree.h"
#include "base/memory/arena.h"

namespace bunraku {
namespace hocon {
namespace {

// The limit of nodes, because substitutions may copy exponentially.
constexpr uint64_t kMostNodes = 10'000'000;
// The limit of steps: values that append to themselves within merges are resolved again each time,
// and the work doubles with each line.
constexpr uint64_t kMostSteps = 1'000'000;

class Resolver {
 public:
  Resolver(Tree& tree, Node* root) : tree_(tree), root_(root) {}

  Node* resolve(Node* node) {
    if (node->is_resolved) return node->resolved;
    if (++steps_ > kMostSteps) fail(node->line, "Substitutions make too many values");
    if (++depth_ > kDeepest) fail(node->line, "Substitutions lead more than 500 levels deep");
    node->is_busy = true;
    node->trace_start = trace_.size();
    Node* resolved = resolve_anew(node);
    node->is_busy = false;
    // Within an incomplete merge the same node may still get another meaning.
    if (busy_merges_ == 0) {
      node->is_resolved = true;
      node->resolved = resolved;
    }
    --depth_;
    return resolved;
  }

 private:
  Node* resolve_anew(Node* node) {
    switch (node->kind) {
      case NodeKind::kScalar:
      case NodeKind::kText:
        node->weight = 1;
        return node;
      case NodeKind::kArray:
      case NodeKind::kObject:
        return resolve_items(node);
      case NodeKind::kSubstitution:
        return resolve_substitution(node);
      case NodeKind::kConcatenation:
        return resolve_concatenation(node);
      case NodeKind::kMerge:
        return resolve_merge(node, 0);
    }
    return nullptr;
  }

  Node* resolve_items(Node* node) {
    Node* out = tree_.make(node->kind, node->line);
    out->weight = 1;
    for (size_t i = 0; i < node->items.size(); ++i) {
      Node* item = resolve(node->items[i]);
      if (item == nullptr) continue;
      if (node->kind == NodeKind::kObject) {
        out->positions.emplace(node->keys[i], out->items.size());
        out->keys.push_back(node->keys[i]);
      }
      out->items.push_back(item);
      out->weight += item->weight;
      if (out->weight > kMostNodes) fail(node->line, "Substitutions make too many values");
    }
    return out;
  }

  Node* resolve_concatenation(Node* node) {
    Node* joined = nullptr;
    for (Node* part : node->items) {
      Node* resolved = resolve(part);
      if (resolved == nullptr) continue;
      joined = joined == nullptr ? resolved : weighed(join(tree_, joined, resolved));
    }
    return joined;
  }

  static Node* weighed(Node* node) {
    node->weight = 1;
    for (Node* item : node->items) node->weight += item->weight;
    if (node->weight > kMostNodes) fail(node->line, "Substitutions make too many values");
    return node;
  }

  Node* resolve_merge(Node* node, size_t from) {
    const size_t saved = node->active;
    Node* result = nullptr;
    ++busy_merges_;
    for (size_t i = from; i < node->items.size(); ++i) {
      node->active = i;
      Node* below = resolve(node->items[i]);
      if (below == nullptr) continue;
      if (result == nullptr)
        result = below;
      else if (below->kind == NodeKind::kObject)
        result = weighed(merge_objects(tree_, *result, *below));
      if (result->kind != NodeKind::kObject || below->kind != NodeKind::kObject) break;
    }
    --busy_merges_;
    node->active = saved;
    return result;
  }

  Node* resolve_substitution(Node* node) {
    trace_.push_back(node);
    Node* found = look_up(node);
    trace_.pop_back();
    if (found != nullptr) return found;
    std::string name;
    for (const std::string& part : node->path) name += (name.empty() ? "" : ".") + part;
    if (const char* variable = std::getenv(name.c_str())) {
      Node* text = tree_.text(variable, node->line, false);
      text->weight = 1;
      return text;
    }
    if (node->is_optional) return nullptr;
    fail(node->line, "Could not resolve substitution to a value: " + node->text);
  }

  // Returns the value at a path; null when there is none.
  Node* look_up(Node* substitution) {
    Node* at = root_;
    bool is_known = false;  // already resolved
    for (const std::string& key : substitution->path) {
      if (at->kind != NodeKind::kObject) {
        at = value_of(at, substitution);
        if (at == nullptr || at->kind != NodeKind::kObject) return nullptr;
        is_known = true;
      }
      at = at->find(key);
      if (at == nullptr) return nullptr;
    }
    return is_known && !is_open(*at) && at->weight > 0 ? at : value_of(at, substitution);
  }

  // Resolves the target of a substitution. When that is being resolved already, its earlier value
  // is used.
  Node* value_of(Node* node, Node* substitution) {
    if (!node->is_busy) return resolve(node);
    if (node->kind == NodeKind::kMerge && node->active + 1 < node->items.size()) {
      return resolve_merge(node, node->active + 1);
    }
    if (substitution->is_optional) return nullptr;
    std::string cycle;
    for (const Node* one : trace_) cycle += one->text + ", ";
    fail(substitution->line, "Could not resolve substitution to a value: " + substitution->text +
                                 " was part of a cycle of substitutions involving " + cycle +
                                 trace_[std::min(node->trace_start, trace_.size() - 1)]->text);
  }

  Tree& tree_;
  Node* root_;
  std::vector<Node*> trace_;
  uint64_t steps_ = 0;
  int depth_ = 0;
  int busy_merges_ = 0;
};

namespace {

std::string without_leading_zeros(const std::string& number) {
  const bool is_negative = number.starts_with('-');
  const std::string digits = number.substr(std::min(number.find_first_not_of("-0"), number.size()));
  return (is_negative ? "-" : "") + digits;
}

}  // namespace

DataNode to_data(Arena& arena, const Node& node) {
  switch (node.kind) {
    case NodeKind::kScalar:
      if (!node.value.is(DataKind::kBigInteger)) return node.value;
      return DataNode::text(DataKind::kBigInteger, arena.copy(without_leading_zeros(node.text)));
    case NodeKind::kArray: {
      DataArrayBuilder items;
      for (const Node* item : node.items) items.add(to_data(arena, *item));
      return items.finish(arena);
    }
    case NodeKind::kObject: {
      DataHashBuilder entries;
      for (size_t i = 0; i < node.items.size(); ++i) {
        entries.set(DataNode::text(DataKind::kString, arena.copy(std::string_view(node.keys[i]))),
                    to_data(arena, *node.items[i]));
      }
      return entries.finish(arena);
    }
    default:
      return DataNode::text(DataKind::kString, arena.copy(std::string_view(node.text)));
  }
}

}  // namespace

Node* resolve(Tree& tree, Node* root) {
  return Resolver(tree, root).resolve(root);
}

}  // namespace hocon

DataNode read_hocon(std::string_view text, Arena& arena) {
  hocon::Tree tree;
  return hocon::to_data(arena, *hocon::resolve(tree, hocon::parse(tree, text)));
}

}  // namespace bunraku
