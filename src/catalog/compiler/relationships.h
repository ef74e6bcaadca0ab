// Arrows between resources, and the targets of relationship parameters.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <span>
#include <string>
#include <vector>

#include "catalog/compiler/attributes.h"
#include "catalog/compiler/collector.h"

namespace bunraku {

// A relationship made by an arrow, with both ends as catalogs show them.
struct ArrowRelationship {
  std::string source;
  std::string target;
  ArrowKind kind;
};

// The order that a relationship parameter demands of two resources, by their indices in the
// catalog.
struct Dependency {
  uint32_t before;
  uint32_t after;
};

class Relationships {
 public:
  Relationships(CompilerState& state, Attributes& attributes)
      : state_(state), attributes_(attributes) {}

  // Keeps an arrow for later. Throws EvaluationError when one of its ends is no reference or
  // collector.
  void relate(Value source, Value target, ArrowKind kind, const Place& place);
  // Adds the arrows to the resources' parameters. Throws EvaluationError when one of their ends is
  // not in the catalog.
  void evaluate_relationships();
  // The relationships of all arrows, with the resources that collectors found.
  std::vector<ArrowRelationship> arrow_relationships();
  // Returns the array of a relationship parameter with the items that arrows appended to it.
  Value extended(Value value) const;
  // Returns the order of all relationship parameters. Throws EvaluationError when one names a
  // resource that is not in the catalog.
  std::vector<Dependency> check_relationship_targets();

 private:
  struct Relationship {
    RelationshipOperand source;
    RelationshipOperand target;
    ArrowKind kind;
    Place place;
  };

  // One end of an arrow.
  struct End {
    RelationshipOperand operand;
    Resource* resource = nullptr;  // null until it was looked up
    std::string_view text = {};    // the reference to it, once made
  };

  void add_operands(Value value, RelationshipOperands& operands, const Place& place);
  // Calls visit(source, target, kind) for each pair of ends of all arrows.
  template <typename Visitor>
  void each_relationship(Visitor visit);
  std::vector<End> targets_of(const RelationshipOperand& operand);
  std::vector<End> sources_of(const RelationshipOperand& operand, int depth);
  void add_relationship(End& source, End& target, const Relationship& arrow);
  const Resource& relationship_target(const ResourceParameter& parameter, Value value,
                                      bool was_sensitive);
  const Resource& find_target(const ResourceParameter& parameter, Value value, bool was_sensitive);
  // Returns the reference to a target of an arrow, and keeps the resource that it names.
  std::string_view text_of_target(const RelationshipOperand& operand, const Resource& resource);
  // The resource of an end; null when the catalog has none.
  Resource* find(End& end) const;
  // Returns the array (or the single value as one) with the item appended.
  Value appended(Value current, Value item);
  void append_to_relationship(Resource& resource, Name name, std::string_view reference,
                              const Place& place);

  CompilerState& state_;
  Attributes& attributes_;
  std::vector<Relationship> arrows_;
  // The arrays of relationships that were appended to: each holder of an old array sees the new
  // one.
  boost::unordered_flat_map<const Value*, Value> extended_arrays_;
  // Arrays that were made by appending, with their capacity.
  struct GrownArray {
    Value* items;
    size_t capacity;
  };
  boost::unordered_flat_map<const Value*, GrownArray> grown_arrays_;
  // The targets that texts in relationship parameters name, by the address of the text: the sources
  // of an arrow share it.
  struct NamedTarget {
    size_t size;  // of the text
    const Resource* resource;
  };
  boost::unordered_flat_map<const char*, NamedTarget> named_targets_;
};

// Warns of the first dependency cycle, because agents refuse to apply such a catalog. `log` may be
// null.
void warn_of_cycles(const Catalog& catalog, std::span<const Dependency> dependencies, LogSink* log);

}  // namespace bunraku
