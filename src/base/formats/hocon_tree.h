// The tree of a HOCON text before its substitutions are resolved. Internal to the reader.
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
  kSubstitution,   // `path`, `text` as written
  kConcatenation,  // `items`, of which not all neighbours are known
  kMerge           // `items`; the first takes precedence
};

struct Node {
  NodeKind kind;
  uint32_t line = 0;
  // For text: written without quotes, so that it is ignored after an object or array.
  bool is_bare = false;
  bool is_optional = false;  // for a substitution
  // For an array or object: its contents may depend on substitutions.
  bool is_open = false;
  DataNode value;
  std::string text;
  std::vector<Node*> items;
  std::vector<std::string> keys;
  std::unordered_map<std::string, size_t, TextHash> positions;  // by key
  std::vector<std::string> path;

  // --- during the resolution ---
  // --- while it is resolved ---
  bool is_busy = false;
  bool is_resolved = false;
  Node* resolved = nullptr;  // null when there is no value
  size_t active = 0;         // for a merge: the item that is being resolved
  size_t trace_start = 0;    // the number of substitutions that led here
  // of the resolved node: the number of nodes, with repeated counting of shared ones
  uint64_t weight = 0;

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

// The maximum depth of values and of substitutions.
constexpr int kDeepest = 500;

[[noreturn]] void fail(uint32_t line, const std::string& message);

// Returns whether the value depends on a substitution.
bool is_open(const Node& node);
// Sets a field; an earlier value of the key is merged or kept for the resolution, depending on the
// new value.
void set_field(Tree& tree, Node& object, const std::string& key, Node* value, int depth = 0);
// Joins two known neighbours to one value.
Node* join(Tree& tree, Node* left, Node* right);
// Merges two known objects; entries of `over` take precedence.
Node* merge_objects(Tree& tree, const Node& over, const Node& under, int depth = 0);

// Parses a text to its object.
Node* parse(Tree& tree, std::string_view text, int depth = 0);
// Returns the object with its substitutions resolved.
Node* resolve(Tree& tree, Node* root);

}  // namespace bunraku::hocon
