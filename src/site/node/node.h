// The node of a compilation: its name, facts, trusted data, and classification.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "values/value.h"

namespace bunraku {

struct NodeClass {
  std::string_view name;
  Value parameters;  // a hash; undef when there are none
};

// All values live in the compilation's arena.
struct TargetNode {
  std::string_view name;
  std::string_view environment;
  Value facts;         // hash
  Value trusted;       // hash
  Value server_facts;  // hash
  Value parameters;    // a hash, from the classifier
  std::vector<NodeClass> classes;
  bool classes_have_parameters = false;  // the classifier returned a hash
};

// The certname: the fact clientcert that the agent sends, or the node's name.
std::string_view certname_of(const TargetNode& node);
// The trusted data of a node in a local compilation.
Value local_trusted_data(Arena& arena, std::string_view certname, Value external);

// Stores a classifier's answer in the node: `classes` (a list, a hash or one name), `parameters`,
// `environment`.
void apply_classification(Arena& arena, Value answer, TargetNode& node);

}  // namespace bunraku
