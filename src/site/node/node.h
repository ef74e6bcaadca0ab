// A node as a compilation gets it: its name, facts, trusted data, and what a classifier says.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "values/value.h"

namespace bunraku {

struct NodeClass {
  std::string_view name;
  Value parameters;  // a hash; undef when none were given
};

// All values live in the compilation's arena.
struct TargetNode {
  std::string_view name;
  std::string_view environment;
  Value facts;         // hash
  Value trusted;       // hash
  Value server_facts;  // hash
  Value parameters;    // hash, of the classifier
  std::vector<NodeClass> classes;
  bool classes_have_parameters = false;  // the classifier gave a hash
};

// The name by which a certificate would call the node: what the agent itself says, or its name.
std::string_view certname_of(const TargetNode& node);
// The trusted data of a node that is compiled for locally.
Value local_trusted_data(Arena& arena, std::string_view certname, Value external);

// Takes over a classifier's answer: `classes` (a list, a hash or one name), `parameters`,
// `environment`.
void apply_classification(Arena& arena, Value answer, TargetNode& node);

}  // namespace bunraku
