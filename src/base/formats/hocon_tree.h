// The tree of a HOCON text before its substitutions are resolved. For the reader's parts only.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/formats/data.h"
#include "base/text/text_hash.h"

namespace bunraku::hocon {

enum class NodeKind : uint8_t {
  kScalar,         // null, boolean or number: `value` and `text`
  kText,           // `text`
  kArray,          // `items`
  kObject,         // `keys` with `items`
  kSubstitution,   // `path`, `text` as it was written
  kConcatenation,  // `items`, neighbours of which are not both known
  kMerge           // `items`, what comes first wins
};

struct Node {
  NodeKind kind;
  uint32_t line = 0;
  // Of text: it was written without quotes, so that after an object or array it counts for nothing.
  bool is_bare = false;
  bool is_optional = false;  // of a substitution
  // Of an array or object: what it holds may depend on substitutions.
  bool is_open = false;
  DataNode value;
  std::string text;
  std::vector<Node*> items;
  std::vector<std::string> keys;
  std::unordered_map<std::string, size_t, TextHash> positions;  // of keys
  std::vector<std::string> path;

  // --- while it is resolved ---
  bool is_busy = false;
  bool is_resolved = false;
  Node* resolved = nullptr;  // null when it stands for nothing
  size_t active = 0;         // of a merge: the item that is being resolved
  size_t trace_start = 0;    // how many substitutions led here
  uint64_t weight = 0;       // of what is resolved: how many nodes, the shared ones each time

  bool is_collection() const { return kind == NodeKind::kArray || kind == NodeKind::kObject; }
  Node* find(const std::string& key) const {
    auto at = positions.find(key);
    return at == positions.end() ? nullptr : items[at->second];
  }
};

// Owns the nodes.
class Tree {
 public:
  Node* make(NodeKind kind, uint32_t line) {
    nodes_.emplace_back();
    nodes_.back().kind = kind;
    nodes_.back().line = line;
    return &nodes_.back();
  }
  Node* text(std::string text, uint32_t line, bool is_bare) {
    Node* node = make(NodeKind::kText, line);
    node->text = std::move(text);
    node->is_bare = is_bare;
    return node;
  }

 private:
  std::deque<Node> nodes_;
};

// How deep values may be nested and substitutions may lead.
constexpr int kDeepest = 500;

[[noreturn]] void fail(uint32_t line, const std::string& message);

// Does the value wait for a substitution?
bool is_open(const Node& node);
// Sets a field; what the key had before is merged or kept below, as the value asks for.
void set_field(Tree& tree, Node& object, const std::string& key, Node* value, int depth = 0);
// Two known neighbours as one value.
Node* join(Tree& tree, Node* left, Node* right);
// `over` with what it leaves open taken from `under`. Both are known.
Node* merge_objects(Tree& tree, const Node& over, const Node& under, int depth = 0);

// The object of a text.
Node* parse(Tree& tree, std::string_view text, int depth = 0);
// The object without substitutions.
Node* resolve(Tree& tree, Node* root);

}  // namespace bunraku::hocon
