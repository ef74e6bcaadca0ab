// The nodes of a fleet, and where their facts are.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/formats/data.h"
#include "values/value.h"

namespace bunraku {

struct FleetNode {
  std::string name;
  std::string path;                 // of its facts; of a document with several nodes, its path
  bool takes_name = false;          // a set of facts that many nodes share: those with the node's
                                    // name in them are its own
  const DataNode* facts = nullptr;  // in the list's documents; null: the file holds one node's
};

class NodeList {
 public:
  NodeList() = default;
  NodeList(NodeList&&) = default;
  NodeList& operator=(NodeList&&) = default;

  // Adds the nodes of a directory (each *.yaml, *.yml and *.json holds the facts of the node that
  // it is named after) or of a file: facts of one node, or an export of PuppetDB with many: an
  // array of factsets, of inventory entries, or of single facts. Throws EvaluationError, FileError.
  void add(const std::string& path);
  // Adds nodes of a list: a line for each, "NAME FACTS-FILE", the file relative to the list's
  // directory; # begins a comment. Several may share a set of facts. Throws EvaluationError.
  void add_listed(const std::string& path);
  // Sorts by name. Throws EvaluationError when a node is there twice.
  void finish();

  // Keeps those whose name one of the patterns matches ("web*", "/^db\d/"). Throws RegexError.
  void keep_only(const std::vector<std::string>& patterns);
  // Keeps shard `index` (from 1) of `count`. A node's shard follows from its name alone.
  void keep_shard(uint32_t index, uint32_t count);

  const std::vector<FleetNode>& nodes() const { return nodes_; }

 private:
  struct Document;
  void add_directory(const std::string& directory);
  bool add_export(const std::string& path);

  std::vector<FleetNode> nodes_;
  std::vector<std::shared_ptr<Document>> documents_;
};

// The node's facts, a hash. Throws EvaluationError when they cannot be read.
Value facts_of(const FleetNode& node, Arena& arena);

}  // namespace bunraku
