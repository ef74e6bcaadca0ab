// The nodes of a fleet, and the locations of their facts.
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
  std::string path;  // the file of its facts, or the document with several nodes
  // the facts are shared by many nodes: values that contain the node's name are its own
  bool takes_name = false;
  // within the list's documents; null: the file has the facts of one node
  const DataNode* facts = nullptr;
};

class NodeList {
 public:
  NodeList() = default;
  NodeList(NodeList&&) = default;
  NodeList& operator=(NodeList&&) = default;

  // Adds the nodes of a directory (each *.yaml, *.yml and *.json has the facts of the node in its
  // name) or of a file: facts of one node, or an export of PuppetDB: an array of factsets, of
  // inventory entries, or of single facts. Throws EvaluationError, FileError.
  void add(const std::string& path);
  // Adds the nodes of a list with lines "NAME FACTS-FILE"; the file is relative to the list's
  // directory, and # starts a comment. Several nodes may share facts. Throws EvaluationError.
  void add_listed(const std::string& path);
  // Sorts by name. Throws EvaluationError for a duplicate node.
  void finish();

  // Keeps the nodes whose names match one of the patterns ("web*", "/^db\d/"). Throws RegexError.
  void keep_only(const std::vector<std::string>& patterns);
  // Keeps shard `index` (from 1) of `count`. A node's shard depends only on its name.
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
